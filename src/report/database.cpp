#include "report/database.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "report/database_schema.h"
#include "report/names.h"
#include "report/sqlite.h"

namespace tutti::report {
namespace {

std::string insert(std::string_view table, int columns) {
  std::string marks = "?";
  for (int i = 1; i < columns; ++i) marks += ",?";
  return fmt::format("INSERT INTO {} VALUES ({})", table, marks);
}

void create_tables(Sqlite& db) {
  std::vector<std::pair<std::string, std::string>> tables;
  for (const Column& c : schema) {
    if (tables.empty() || tables.back().first != c.table) tables.emplace_back(c.table, "");
    std::string& body = tables.back().second;
    body += fmt::format("{}\"{}\" {}", body.empty() ? "" : ", ", c.name, c.type);
  }
  for (const auto& [name, body] : tables) db.run(fmt::format("CREATE TABLE {} ({})", name, body));
  Statement columns(db, insert("columns", 2));
  for (const Column& c : schema) columns.insert(fmt::format("{}.{}", c.table, c.name), c.meaning);
}

void write_large(Sqlite& db, const Record& r) {
  Statement nodes(db, insert("nodes", 6)), messages(db, insert("messages", 13)), sampling(db, insert("sampling", 4));
  std::int64_t id = 0;
  for (const Slice& s : r.slices.rows())
    nodes.insert(id++, s.rank, to_string(s.activity), r.names[s.name], s.begin, s.end);
  id = 0;
  for (const Message& m : r.messages.rows())
    messages.insert(id++, m.source, m.destination, r.names[m.queue], m.bytes, m.posted, m.left, m.arrived, m.received,
                    m.released, m.credited, m.latency, m.serialization);
  sampling.insert("nodes", r.slices.seen(), r.slices.rows().size(), r.slices.stride());
  sampling.insert("messages", r.messages.seen(), r.messages.rows().size(), r.messages.stride());
}

void write_small(Sqlite& db, const Record& r) {
  Statement run(db, insert("run", 2)), settings(db, insert("settings", 3)), given(db, insert("command_line", 2));
  run.insert("schema", "1"), run.insert("version", r.version), run.insert("command", r.command);
  run.insert("title", r.title), run.insert("status", r.status), run.insert("error", r.error);
  run.insert("partial", r.partial ? "1" : "0"), run.insert("makespan_ps", std::to_string(r.makespan.ps()));
  run.insert("events", std::to_string(r.events)), run.insert("wall_s", fmt::format("{}", r.wall_s));
  for (const Setting& s : r.settings) settings.insert(s.path, s.value, s.origin);
  run.insert("folder", r.folder);
  std::int64_t id = 0;
  for (const std::string& word : r.command_line) given.insert(id++, word);
  Statement ranks(db, insert("ranks", 9)), links(db, insert("links", 6)), places(db, insert("places", 4));
  id = 0;
  for (const RankRow& one : r.ranks)
    ranks.insert(id++, one.name, one.finish, one.compute, one.communication, one.exposed, one.idle, one.bytes_sent,
                 one.bytes_received);
  for (const LinkRow& l : r.links) links.insert(l.name, l.source, l.destination, l.kind, l.bytes, l.busy);
  for (const PlaceRow& p : r.places) places.insert(p.name, p.kind, p.x, p.y);
  Statement pairs(db, insert("queue_pairs", 10)), waits(db, insert("waits", 5)), cycle(db, insert("cycle", 1)),
      bounds(db, insert("bounds", 3)), path(db, insert("critical_path", 6));
  for (const QueuePairRow& q : r.queue_pairs)
    pairs.insert(q.rank, q.port, q.peer, q.slots, q.messages, q.bytes, q.stalls, q.stalled, q.most_in_use,
                 q.mean_in_use);
  for (const WaitRow& w : r.waits) waits.insert(w.rank, w.who, w.what, w.on, w.since);
  for (const std::string& who : r.cycle) cycle.insert(who);
  for (const BoundRow& b : r.bounds) bounds.insert(b.name, b.time, b.formula);
  id = 0;
  for (const PathRow& p : r.path) path.insert(id++, p.rank, p.kind, p.begin, p.end, p.what);
}

Activity activity(const std::string& name) {
  for (std::size_t a = 0; a < activities; ++a)
    if (name == to_string(static_cast<Activity>(a))) return static_cast<Activity>(a);
  throw ConfigError("error: unknown activity '" + name + "' in the database");
}

void read_large(Sqlite& db, Record& r) {
  Names names(r.names);
  Statement nodes(db, "SELECT * FROM nodes ORDER BY id"), messages(db, "SELECT * FROM messages ORDER BY id");
  r.slices = Sampled<Slice>(SIZE_MAX), r.messages = Sampled<Message>(SIZE_MAX);
  while (nodes.step()) {
    nodes.skip();
    Slice s;
    s.rank = static_cast<std::int32_t>(nodes.number()), s.activity = activity(nodes.text());
    s.name = names.add(nodes.text()), s.begin = nodes.time(), s.end = nodes.time();
    r.slices.add(s);
  }
  while (messages.step()) {
    messages.skip();
    Message m;
    m.source = static_cast<std::int32_t>(messages.number()), m.destination = static_cast<int>(messages.number());
    m.queue = names.add(messages.text()), m.bytes = static_cast<std::uint64_t>(messages.number());
    m.posted = messages.time(), m.left = messages.time(), m.arrived = messages.time(), m.received = messages.time();
    m.released = messages.time(), m.credited = messages.time(), m.latency = messages.time();
    m.serialization = messages.time();
    r.messages.add(m);
  }
  Statement sampling(db, "SELECT of, seen, every FROM sampling");
  while (sampling.step()) {
    const bool of_nodes = sampling.text() == "nodes";
    const auto seen = static_cast<std::uint64_t>(sampling.number()),
               every = static_cast<std::uint64_t>(sampling.number());
    of_nodes ? r.slices.set_seen(seen, every) : r.messages.set_seen(seen, every);
  }
}

std::uint64_t count(Statement& s) { return static_cast<std::uint64_t>(s.number()); }

void read_rows(Sqlite& db, Record& r) {
  const auto all = [&](const char* sql, auto&& row) {
    Statement s(db, sql);
    while (s.step()) row(s);
  };
  const auto rank = [](Statement& s) { return static_cast<std::int32_t>(s.number()); };
  // Braces fix the order in which columns are read.
  all("SELECT * FROM settings", [&](Statement& s) { r.settings.push_back({s.text(), s.text(), s.text()}); });
  all("SELECT word FROM command_line ORDER BY number", [&](Statement& s) { r.command_line.push_back(s.text()); });
  all("SELECT * FROM ranks ORDER BY rank", [&](Statement& s) {
    s.skip();
    RankRow one;
    one.name = s.text();
    if (const Time t = s.time(); t != never) one.finish = t;
    one.compute = s.time(), one.communication = s.time(), one.exposed = s.time(), one.idle = s.time();
    one.bytes_sent = count(s), one.bytes_received = count(s);
    r.ranks.push_back(one);
  });
  all("SELECT * FROM links",
      [&](Statement& s) { r.links.push_back({s.text(), s.text(), s.text(), s.text(), count(s), s.time()}); });
  all("SELECT * FROM places", [&](Statement& s) { r.places.push_back({s.text(), s.text(), s.real(), s.real()}); });
  all("SELECT * FROM queue_pairs", [&](Statement& s) {
    r.queue_pairs.push_back(
        {rank(s), s.text(), rank(s), static_cast<std::uint32_t>(s.number()), count(s), count(s), count(s), {}, {}, {}});
    auto& q = r.queue_pairs.back();
    q.stalled = s.time(), q.most_in_use = count(s), q.mean_in_use = s.real();
  });
  all("SELECT * FROM waits", [&](Statement& s) {
    WaitRow w{rank(s), s.text(), s.text(), {}, {}};
    if (s.null())
      s.skip();
    else
      w.on = rank(s);
    w.since = s.time();
    r.waits.push_back(w);
  });
  all("SELECT * FROM cycle", [&](Statement& s) { r.cycle.push_back(s.text()); });
  all("SELECT * FROM bounds", [&](Statement& s) { r.bounds.push_back({s.text(), s.time(), s.text()}); });
  all("SELECT * FROM critical_path ORDER BY step", [&](Statement& s) {
    s.skip();
    r.path.push_back({rank(s), s.text(), s.time(), s.time(), s.text()});
  });
}

}  // namespace

void write_database(const Record& record, const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code made;
  if (!folder.empty()) std::filesystem::create_directories(folder, made);
  // A reader never sees half a file: it gets its name when it is whole.
  const std::string part = path + ".part";
  {
    Sqlite db = Sqlite::create(part);
    db.run("BEGIN");
    create_tables(db);
    write_small(db, record);
    write_large(db, record);
    db.run("COMMIT");
  }
  std::error_code failed;
  std::filesystem::rename(part, path, failed);
  if (failed) throw ConfigError("error: " + path + " cannot be written: " + failed.message());
}

Record read_database(const std::string& place) {
  std::error_code ignored;
  const std::string path = std::filesystem::is_directory(place, ignored) ? place + "/run.sqlite" : place;
  if (!std::filesystem::exists(path, ignored))
    throw ConfigError("error: " + path + " is not there; a run with --out DIR writes it");
  Record r;
  Sqlite db = Sqlite::open(path);
  std::map<std::string, std::string> run;
  try {
    Statement s(db, "SELECT key, value FROM run");
    while (s.step()) {
      std::string key = s.text();
      run[std::move(key)] = s.text();
    }
  } catch (const ConfigError& e) {
    throw ConfigError(std::string(e.what()) + " (not a result database)");
  }
  if (run["schema"] != "1")
    throw ConfigError("error: " + path + ": a result database of schema '" + run["schema"] + "'; this program reads 1");
  r.version = run["version"], r.command = run["command"], r.title = run["title"], r.status = run["status"];
  r.error = run["error"], r.partial = run["partial"] == "1",
  r.makespan = Time::ps(std::atoll(run["makespan_ps"].c_str()));
  r.folder = run["folder"];
  r.events = std::strtoull(run["events"].c_str(), nullptr, 10), r.wall_s = std::atof(run["wall_s"].c_str());
  read_rows(db, r);
  read_large(db, r);
  return r;
}

std::vector<std::pair<std::string, std::string>> database_columns() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Column& c : schema) all.emplace_back(fmt::format("{}.{}", c.table, c.name), c.meaning);
  return all;
}

}  // namespace tutti::report
