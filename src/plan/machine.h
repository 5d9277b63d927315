#pragma once
#include <array>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/image.h"
#include "plan/schedule.h"
#include "plan/verify.h"

namespace tutti::plan {

/// How many steps of each stream are known to have ended.
using Clock = std::vector<std::int32_t>;

struct Message {
  std::int64_t count = 0;
  bool signal = false;
  std::vector<Piece> pieces;
  std::shared_ptr<const Clock> clock;
  Epoch sent;
  std::int64_t to_push = 0, to_pull = 0;  ///< slots still to be filled and emptied
};

/// Messages of one rank to another on one channel.
struct Connection {
  int from = 0, to = 0, channel = 0;
  int sender = -1, receiver = -1;  ///< streams that use it now, or used it last
  bool receiving = false;
  std::int64_t in_flight = 0;  ///< slots that are full
  std::deque<Message> queue;
  bool sending() const { return !queue.empty() && queue.back().to_push > 0; }
};

struct StreamState {
  enum class Wait { none, previous_send, slot, message, step, being_sent };
  int rank = 0, index = 0;
  Generator<Step> steps;
  Step now;
  std::int64_t number = -1;  ///< of `now`
  bool loaded = false, issued = false, ended = false, queued = false;
  Wait wait = Wait::none;
  Connection* waits_on = nullptr;
  std::vector<std::pair<std::int64_t, Connection*>> pending;  ///< sends that still wait for slots, and their step
  std::vector<Step> pending_steps;
  Clock clock;
  std::vector<std::pair<std::int64_t, std::shared_ptr<const Clock>>> history;  ///< clock from this step on
};

/// Thrown inside: what() is the counter-example.
struct Refuted : std::runtime_error {
  using runtime_error::runtime_error;
};

/// What is known of the order between streams: nothing; what streams of one rank wait for of each other; also what
/// follows from messages. Each knows more, and costs more: entries of a clock are 0, those of a rank, those of all.
enum class Ordering { none, local, full };

/// Executes a schedule on symbols. See verify().
class Machine {
 public:
  /// @param ordering  with clocks, steps of different streams that touch the same elements must have an order.
  Machine(const Schedule& schedule, const Target& target, Ordering ordering);
  /// @throws Refuted.
  void run();
  std::int64_t steps = 0, messages = 0;
  bool shared = false;  ///< some elements were touched by two streams of a rank, and written by one

 private:
  struct Place {
    Image* image;
    std::int64_t begin;
  };
  bool advance(StreamState& s);
  bool begin(StreamState& s);
  bool send(StreamState& s);
  bool receive(StreamState& s);
  void local(StreamState& s);
  void finish(StreamState& s);
  void progress(Connection& c);
  void wake(StreamState& s);
  void wake_rank(int rank);
  bool ended(const StreamState& s, std::int64_t step) const;
  bool writes_pending(StreamState& s);
  std::int64_t writable(const StreamState& s);
  std::int64_t slots_of(std::int64_t count) const;
  void join(StreamState& s, const Clock& other);
  void order(StreamState& s, Place p, std::int64_t count, bool writing);
  std::vector<Piece> fetch(StreamState& s, const Slice& from);
  void store(StreamState& s, const Slice& to, std::vector<Piece> pieces, bool adding);
  Place place(const StreamState& s, const Slice& slice);
  Connection& connection(int from, int to, int channel);
  [[noreturn]] void refute(const StreamState& s, const std::string& why) const;
  std::string where(const StreamState& s) const;
  void check_end();
  void check_output(int rank);
  std::string cycle();
  StreamState* waits_for(const StreamState& s);
  StreamState& stream(int rank, int index) { return streams_[static_cast<std::size_t>(rank * width_ + index)]; }

  const Schedule& schedule_;
  Target target_;
  int ranks_, width_;
  Ordering ordering_;
  /// Entry of a clock: how many steps of that stream of the rank are known to have ended.
  std::size_t entry(int rank, int stream) const {
    return static_cast<std::size_t>(ordering_ == Ordering::full ? rank * width_ + stream : stream);
  }
  Contributions contributions_;
  std::vector<std::array<Image, 3>> images_;
  std::vector<std::array<std::int64_t, 3>> sizes_;
  std::vector<StreamState> streams_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::deque<StreamState*> ready_;
};

}  // namespace tutti::plan
