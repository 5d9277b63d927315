// The extension module `_tutti`; the package `tutti` beside it is what people import.
#include "app/python/session.h"

#include <pybind11/stl.h>

#include "base/error.h"
#include "base/version.h"

namespace tutti::python {
namespace {

host::Split split(const std::string& kind, int rows, int columns) {
  if (kind == "replicate") return host::Split::replicate();
  if (kind == "row_wise") return host::Split::row_wise();
  if (kind == "column_wise") return host::Split::column_wise();
  if (kind == "tiled") return host::Split::tiled(rows, columns);
  throw ConfigError("error: unknown policy '" + kind + "'; known: replicate, row_wise, column_wise, tiled");
}

}  // namespace

PYBIND11_MODULE(_tutti, m) {
  m.doc() = "Tutti's simulator; use the package tutti";
  m.attr("__version__") = version;
  // Translators of later registrations are tried first.
  auto base = py::register_exception<Error>(m, "Error");
  py::register_exception<ConfigError>(m, "ConfigError", base);
  py::register_exception<ModelError>(m, "ModelError", base);
  py::register_exception<ViolationError>(m, "ViolationError", base);
  py::register_exception<InternalError>(m, "InternalError", base);
  py::register_exception<DeadlockError>(m, "DeadlockError", base);

  py::class_<host::Split>(m, "Split")
      .def(py::init(&split), py::arg("kind"), py::arg("rows") = 1, py::arg("columns") = 1);
  py::class_<host::DPPolicy>(m, "DPPolicy")
      .def(py::init([](const host::Split& cube, const host::Split& pe, std::optional<int> cubes,
                       std::optional<int> pes) { return host::DPPolicy{cube, pe, cubes, pes}; }));
  py::class_<KernelProcess>(m, "KernelProcess")
      .def("has", [](KernelProcess& k, const std::string& p) { return k.endpoint->has(port(p)); })
      .def("probe", [](KernelProcess& k, const std::string& p) { return k.endpoint->probe(port(p)); })
      .def("credits", [](KernelProcess& k, const std::string& p) { return k.endpoint->credits(port(p)); })
      .def("n_slots", [](KernelProcess& k, const std::string& p) { return k.endpoint->n_slots(port(p)); })
      .def("slot_size", [](KernelProcess& k, const std::string& p) { return k.endpoint->slot_size(port(p)).count(); })
      .def("release_posted", [](KernelProcess& k, std::uint64_t slot) { k.slots.erase(slot); })
      .def("recv_async", [](KernelProcess& k, const std::string& p) {
        k.tickets.push_back(k.endpoint->recv_async(port(p)));
        return k.tickets.size() - 1;
      });
  py::class_<Session>(m, "Session")
      .def(py::init<const std::string&, const std::string&, const std::vector<std::string>&>())
      .def_property_readonly("algorithm", [](const Session& s) { return s.config().algorithm; })
      .def_property_readonly("module", [](const Session& s) { return s.config().module_text; })
      .def_property_readonly("topology", [](const Session& s) { return s.config().topology; })
      .def_property_readonly("grid",
                             [](const Session& s) {
                               const auto g = ccl::grid_of(s.config().topology, s.world_size(), s.config().queue.grid);
                               return py::make_tuple(g.rows, g.columns, g.wraps);
                             })
      .def_property_readonly("world_size", &Session::world_size)
      .def_property_readonly("events", &Session::events)
      .def("init_process_group", &Session::init_process_group)
      .def("tensor", &Session::tensor)
      .def("data", &Session::data)
      .def("shard", &Session::shard)
      .def("write_shard", &Session::write_shard)
      .def("pointer", &Session::pointer)
      .def("launch", &Session::launch)
      .def("launch_built_in", &Session::launch_built_in)
      .def("synchronize", &Session::synchronize)
      .def("process", &Session::process, py::return_value_policy::reference_internal)
      .def("finish_ps", &Session::finish_ps)
      .def("record", &Session::record)
      .def("replay_difference", &Session::replay_difference)
      .def("log", &Session::log)
      .def("pointers", &Session::pointers)
      .def("program_id", &Session::program)
      .def("num_programs", &Session::programs);
}

}  // namespace tutti::python
