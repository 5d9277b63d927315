#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/units.h"
#include "report/sampled.h"

namespace tutti::report {

/// What a slice of a rank's time was.
enum class Activity : std::uint8_t {
  compute,     ///< a compute node, a matrix product
  reduction,   ///< MATH
  memory,      ///< copies, remote memory
  send,        ///< a send node, from issue to its end
  receive,     ///< a receive node, from posting to its data
  collective,  ///< a collective node
  wait_data,   ///< a kernel waits for a message
  wait_credit  ///< a kernel waits for a free slot at its peer
};
inline constexpr std::size_t activities = 8;
const char* to_string(Activity a);

/// A time that never came.
inline constexpr Time never = Time::max();

/// An interval on a rank.
struct Slice {
  std::int32_t rank = 0;
  Activity activity{};
  std::uint32_t name = 0;  ///< index into Record::names
  Time begin, end;         ///< end: never if it was under way when the run ended
};

/// A message from one rank to another.
struct Message {
  std::int32_t source = 0, destination = 0;
  std::uint32_t queue = 0;  ///< index into Record::names: the receiver's port, or the tag
  std::uint64_t bytes = 0;
  Time posted;            ///< the sender handed it over
  Time left = never;      ///< its first byte left
  Time arrived = never;   ///< its last byte is there
  Time received = never;  ///< the receiver took it
  Time released = never;  ///< the receiver gave its slot back
  Time credited = never;  ///< the sender may use its slot again
  Time latency;           ///< of its path with no bytes and no other traffic
  Time serialization;     ///< of its bytes on the narrowest link of its path
};

struct RankRow {
  std::string name;  ///< "sip0.cube0.pe3"; may be empty
  std::optional<Time> finish;
  Time compute, communication, exposed, idle;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
};

struct LinkRow {
  std::string name, source, destination, kind;
  std::uint64_t bytes = 0;
  Time busy;
};

/// A part of the machine where it is drawn.
struct PlaceRow {
  std::string name, kind;
  double x = 0, y = 0;
};

struct QueuePairRow {
  std::int32_t rank = 0;
  std::string port;
  std::int32_t peer = 0;  ///< rank
  std::uint32_t slots = 0;
  std::uint64_t messages = 0, bytes = 0, stalls = 0, most_in_use = 0;
  Time stalled;
  double mean_in_use = 0;
};

struct WaitRow {
  std::int32_t rank = 0;
  std::string who, what;
  std::optional<std::int32_t> on;  ///< rank
  Time since;
};

struct BoundRow {
  std::string name;
  Time time;
  std::string formula;
};

/// A stretch of the critical path, the last first.
struct PathRow {
  std::int32_t rank = 0;  ///< where it ends
  std::string kind;       ///< "serialization", "latency", "congestion", "credit", "kernel", an activity
  Time begin, end;
  std::string what;  ///< "64 KiB from rank 3"
};

/// A run as a database holds it and as reports show it. Times are of simulated time, from 0.
struct Record {
  std::string command, title, status, error, version;
  bool partial = false;  ///< ended before its end: what is here is what there was
  Time makespan;
  std::uint64_t events = 0;
  double wall_s = 0;
  std::vector<Setting> settings;
  std::vector<RankRow> ranks;
  std::vector<std::string> names;
  Sampled<Slice> slices;
  Sampled<Message> messages;
  std::vector<LinkRow> links;
  std::vector<PlaceRow> places;
  std::vector<QueuePairRow> queue_pairs;
  std::vector<WaitRow> waits;
  std::vector<std::string> cycle;
  std::vector<BoundRow> bounds;           ///< the binding one has the largest time
  std::vector<PathRow> path;              ///< empty if messages or slices are a sample
  std::vector<std::string> command_line;  ///< words after the command, to run it again
  std::string folder;                     ///< where it was run
};

}  // namespace tutti::report
