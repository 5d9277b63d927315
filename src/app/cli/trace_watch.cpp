#include "app/cli/trace_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace tutti::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;  // written by the signal handler
void on_interrupt(int) { interrupted = 1; }

}  // namespace

TraceWatch::TraceWatch(const std::string& progress)
    : terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), last_(begin_) {
  shown_ = progress == "on" || (progress == "auto" && terminal_);
  interrupted = 0;
  struct sigaction action{};
  action.sa_handler = &on_interrupt;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, &before_);
}

TraceWatch::~TraceWatch() {
  sigaction(SIGINT, &before_, nullptr);
  if (drawn_ && terminal_) std::fputs("\r\033[K", stderr);
}

bool TraceWatch::look(const workload::RunProgress& p) {
  if (interrupted != 0) return false;
  const auto now = Clock::now();
  if (!shown_ || now - last_ < std::chrono::seconds(1)) return true;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const std::string oldest = p.oldest();
  const std::string text = fmt::format(
      "{:.0f} s: {} ns simulated, {:.2f} M events/s, {} of {} nodes done ({:.0f} %){}", seconds, to_ns(p.now()),
      static_cast<double>(p.events()) / seconds / 1e6, p.nodes_done(), p.nodes(),
      100.0 * static_cast<double>(p.nodes_done()) / static_cast<double>(std::max<std::size_t>(p.nodes(), 1)),
      oldest.empty() ? "" : "; oldest: " + oldest);
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "%s\n", text.c_str());
  std::fflush(stderr);
  drawn_ = true;
  return true;
}

}  // namespace tutti::app
