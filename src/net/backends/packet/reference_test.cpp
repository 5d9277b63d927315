#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "net/backends/packet/network.h"

namespace tutti::net::packet {
namespace {
namespace fs = std::filesystem;

std::string setting(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string k, v; in >> k;)
    if (k == key && in >> v) return v;
  return {};
}
struct Start : sim::Event {
  explicit Start(std::function<void()> f) : Event([](Event& e) { static_cast<Start&>(e).run(); }), run(std::move(f)) {}
  std::function<void()> run;
};

/// Flows whose completion differs from the recorded one.
std::size_t differing(const fs::path& folder, const nlohmann::json& expect) {
  std::ifstream in(folder / "topology.txt");
  int nodes = 0, switches = 0, links = 0;
  in >> nodes >> switches >> links;
  Topology t{nodes, std::vector<bool>(static_cast<std::size_t>(nodes)), {}};
  for (int i = 0, id = 0; i < switches; ++i) in >> id, t.is_switch.at(static_cast<std::size_t>(id)) = true;
  for (int i = 0; i < links; ++i) {
    int a = 0, b = 0;
    std::string rate, delay, error;
    in >> a >> b >> rate >> delay >> error;
    t.cables.push_back({a, b, static_cast<std::uint64_t>(std::stod(rate) * 1e9 + 0.5),
                        static_cast<std::int64_t>(std::stod(delay) * 1e6 + 0.5)});
  }
  sim::Simulation s;
  Network n(s, t, static_cast<std::uint32_t>(std::stoul(setting(folder / "config.txt", "PACKET_PAYLOAD_SIZE"))));
  std::vector<std::unique_ptr<Start>> starts;
  std::size_t exact = 0;
  for (const auto& f : expect["fct"]) {
    const std::int64_t begin = f[5], end = begin + f[6].get<std::int64_t>();
    starts.push_back(std::make_unique<Start>([&n, &s, &exact, f, end] {
      n.start(f[0], f[1], f[4], [&s, &exact, end] { exact += s.now() == Time::ns(end); });
    }));
    s.at(Time::ns(begin), *starts.back());
  }
  s.run();
  return expect["fct"].size() - exact;
}

TEST(PacketNetwork, FlowsWithoutPauseDropOrCongestionControlEqualTheReferenceToTheNanosecond) {
  const char* shared = std::getenv("TUTTI_SHARED");
  if (!shared) {
    std::cout << "NOT RUN: TUTTI_SHARED does not name the folder of reference runs\n";
    return;
  }
  int same = 0, cases = 0;
  for (const auto& d : fs::directory_iterator(fs::path(shared) / "peers/ns3")) {
    if (!fs::exists(d.path() / "expect.json")) continue;
    std::ifstream file(d.path() / "expect.json");
    const auto e = nlohmann::json::parse(file);
    const auto config = d.path() / "config.txt";
    if (e["cc_mode"] != 12 || e["pfc_event_count"] != 0 || e["drops"] != 0 || e["kind"] == "loss" ||
        setting(config, "HAS_WIN") != "1" || setting(config, "GLOBAL_T") != "0" || setting(config, "VAR_WIN") != "1")
      continue;
    const auto bad = differing(d.path(), e);
    ++cases, same += bad == 0;
    if (e["kind"] != "nicrr")
      EXPECT_EQ(bad, 0u) << d.path();
    else if (bad)
      std::cout << "differs: " << d.path().filename() << " in " << bad << " of " << e["fct"].size() << " flows\n";
  }
  std::cout << same << " of " << cases << " cases equal\n";
}

}  // namespace
}  // namespace tutti::net::packet
