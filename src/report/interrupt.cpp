#include "report/interrupt.h"

namespace tutti::report {
namespace {
volatile std::sig_atomic_t noted = 0;  // written by the signal handler
}

InterruptWatch::InterruptWatch() {
  noted = 0;
  struct sigaction action{};
  action.sa_handler = [](int) { noted = 1; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, &before_);
}

InterruptWatch::~InterruptWatch() { sigaction(SIGINT, &before_, nullptr); }

bool InterruptWatch::interrupted() { return noted != 0; }

}  // namespace tutti::report
