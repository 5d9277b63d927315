#pragma once
#include <Python.h>

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <pybind11/pybind11.h>

#include "ccl/kernel.h"

namespace tutti::python {

namespace py = pybind11;

/// Lines of Python kernels as the reports of a run name them.
class Places {
 public:
  ccl::Where where(const std::string& file, unsigned line);

 private:
  struct Line {
    const char* file;
    const char* function;
    unsigned line;
    unsigned column;
  };
  std::map<std::pair<std::string, unsigned>, Line> lines_;
};

/// A kernel in Python on one rank. Its blocking calls are requests: `resume(value)` runs the kernel up to the next one,
/// which comes back as a tuple (name, file, line, arguments...), or None when the kernel has ended; `fail(exception)`
/// raises in the kernel instead. The C++ side does the request in simulated time and resumes.
struct KernelProcess {
  KernelProcess() = default;
  KernelProcess(const KernelProcess&) = delete;
  py::object resume, fail;
  Places* places = nullptr;
  ccl::Endpoint* endpoint = nullptr;  ///< set when the kernel starts
  bool ended = false;
  std::unordered_map<std::uint64_t, ccl::Slot> slots;  ///< that the kernel holds
  std::vector<ccl::Ticket> tickets;
  std::uint64_t next_slot = 0;
};

/// The KernelFunction of every Python kernel; args.context is its KernelProcess.
sim::Process<> run_kernel(ccl::Endpoint& tl, ccl::KernelArgs args);

ccl::Port port(const std::string& name);
memory::DType dtype(const std::string& name);
memory::ReduceOp reduction(const std::string& name);

}  // namespace tutti::python
