#include "app/python/kernel_process.h"

#include <bit>
#include <exception>

#include <fmt/format.h>

#include "base/error.h"
#include "base/suggest.h"

namespace tutti::python {

ccl::Where Places::where(const std::string& file, unsigned line) {
  const auto [at, added] = lines_.try_emplace({file, line});
  if (added) at->second = {at->first.first.c_str(), "", line, 0};
  // A source_location of libstdc++ is a pointer to such a line; it has no constructor for lines of other languages.
  const Line* const address = &at->second;
  static_assert(sizeof(ccl::Where) == sizeof address);
  return std::bit_cast<ccl::Where>(address);
}

ccl::Port port(const std::string& name) {
  for (std::size_t i = 0; i < ccl::max_ports; ++i)
    if (ccl::port_names[i] == name) return static_cast<ccl::Port>(i);
  throw ModelError(
      fmt::format("IpcqInvalidDirection: there is no port '{}'; known: {}", name, fmt::join(ccl::port_names, ", ")));
}
memory::DType dtype(const std::string& name) {
  memory::DType t{};
  if (!memory::parse(name, t))
    throw ConfigError(fmt::format("error: unknown dtype '{}'; known: f16, bf16, f32, i8, i32", name));
  return t;
}
memory::ReduceOp reduction(const std::string& name) {
  if (name == "sum") return memory::ReduceOp::sum;
  if (name == "max") return memory::ReduceOp::max;
  if (name == "min") return memory::ReduceOp::min;
  throw ConfigError(fmt::format("error: unknown reduction '{}'; known: sum, max, min", name));
}

namespace {

/// What a request asks for, out of its tuple.
struct Request {
  std::string name;
  ccl::Where where;
  py::tuple all;
  template <class T>
  T at(std::size_t i) const {
    return all[i + 3].cast<T>();
  }
  Bytes size(std::size_t i) const { return Bytes(at<std::int64_t>(i)); }
  ccl::Port port_at(std::size_t i) const { return port(at<std::string>(i)); }
};

py::object keep(KernelProcess& k, ccl::Slot slot) {
  const std::uint64_t id = k.next_slot++;
  py::tuple t = py::make_tuple(id, std::string(ccl::name(slot.port())), slot.address(), slot.size().count());
  k.slots.emplace(id, std::move(slot));
  return t;
}

ccl::Slot take(KernelProcess& k, std::uint64_t id) {
  auto node = k.slots.extract(id);
  if (node.empty()) throw ModelError("a slot is released twice");
  return std::move(node.mapped());
}

sim::Process<py::object> perform(ccl::Endpoint& tl, KernelProcess& k, Request r) {
  py::object result = py::none();
  if (r.name == "send") {
    co_await tl.send(r.port_at(0), r.at<ccl::Address>(1), r.size(2), r.where);
  } else if (r.name == "recv") {
    ccl::Slot slot = co_await tl.recv(r.port_at(0), r.where);
    result = keep(k, std::move(slot));
  } else if (r.name == "recv_any") {
    ccl::Slot slot = co_await tl.recv_any(r.where);
    result = keep(k, std::move(slot));
  } else if (r.name == "recv_into") {
    const Bytes size = co_await tl.recv_into(r.port_at(0), r.at<ccl::Address>(1), r.where);
    result = py::int_(size.count());
  } else if (r.name == "send_recv") {
    ccl::Slot slot = co_await tl.send_recv(r.port_at(0), r.at<ccl::Address>(1), r.size(2), r.port_at(3), r.where);
    result = keep(k, std::move(slot));
  } else if (r.name == "wait") {
    ccl::Slot slot = co_await tl.wait(k.tickets.at(r.at<std::size_t>(0)), r.where);
    result = keep(k, std::move(slot));
  } else if (r.name == "release") {
    ccl::Slot slot = take(k, r.at<std::uint64_t>(0));
    co_await tl.release(std::move(slot), r.where);
  } else if (r.name == "reduce") {
    co_await tl.reduce(reduction(r.at<std::string>(0)), dtype(r.at<std::string>(1)), r.at<ccl::Address>(2),
                       r.at<ccl::Address>(3), r.at<std::int64_t>(4), r.where);
  } else if (r.name == "copy") {
    co_await tl.copy(r.at<ccl::Address>(0), r.at<ccl::Address>(1), r.size(2), r.where);
  } else if (r.name == "gemm") {
    const ccl::Gemm g{r.at<ccl::Address>(0), r.at<ccl::Address>(1), r.at<ccl::Address>(2),       r.at<std::int64_t>(3),
                      r.at<std::int64_t>(4), r.at<std::int64_t>(5), dtype(r.at<std::string>(6)), r.at<bool>(7)};
    result = py::int_(tl.composite(g, r.where).number);
  } else if (r.name == "wait_composite") {
    co_await tl.wait(ccl::Pending{r.at<std::uint64_t>(0)}, r.where);
  } else if (r.name == "barrier") {
    co_await tl.barrier(r.where);
  } else {
    throw InternalError("a kernel asks for " + r.name);
  }
  co_return result;
}

Request read(KernelProcess& k, const py::object& answer) {
  py::tuple all = answer.cast<py::tuple>();
  return {all[0].cast<std::string>(), k.places->where(all[1].cast<std::string>(), all[2].cast<unsigned>()), all};
}

}  // namespace

sim::Process<> run_kernel(ccl::Endpoint& tl, ccl::KernelArgs args) {
  KernelProcess& k = *static_cast<KernelProcess*>(args.context);
  k.endpoint = &tl;
  py::object answer = k.resume(py::none());
  while (!answer.is_none()) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    py::object result = py::none();
    std::exception_ptr failed;
    try {
      Request request = read(k, answer);
      py::object done = co_await perform(tl, k, std::move(request));
      result = std::move(done);
    } catch (...) {
      failed = std::current_exception();
    }
    // Outside of the catch: a kernel must not be entered inside one.
    answer = failed ? k.fail(py::cpp_function([failed] { std::rethrow_exception(failed); })) : k.resume(result);
  }
  k.slots.clear();  // what it still held goes out of scope
  k.ended = true;
}

}  // namespace tutti::python
