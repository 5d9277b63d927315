#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "workload/convert/convert.h"

namespace tutti::app {
namespace {

constexpr const char* help = R"(usage: tutti convert FROM TO [options]
Converts a trace between binary (.et, schema 1.0.0) and two JSON forms, a node at a time; keeps every attribute.

  FROM                  binary of schema 0.0.1 to 1.0.0 (gzip or not), protobuf's JSON mapping, or STAGE's JSON; or a prefix:
                        FROM.<rank>.et or FROM.<rank>.json, and TO is a prefix then too
  --to et|json|stage    form of TO; default: et if TO ends in .et, else json
  --schema VERSION      of a binary FROM; default: detected
)";

int run(const std::vector<std::string_view>& words) {
  namespace fs = std::filesystem;
  namespace cv = workload::convert;
  std::string from, to, form, schema;
  bool wants_help = false;
  Options o;
  o.positional("FROM", from, false, {"the trace, or a prefix"});
  o.positional("TO", to, false, {"the file to write, or a prefix"});
  o.value({"--to"}, form, {"form of TO", "FORM", {"et", "json", "stage"}});
  o.value({"--schema"}, schema, {"of a binary FROM; default: detected", "VERSION"});
  o.flag({"--help"}, wants_help);
  o.parse(words);
  if (wants_help) return std::fputs(help, stdout), 0;
  if (from.empty() || to.empty()) throw ConfigError("error: tutti convert FROM TO: two files are needed");
  cv::Settings settings;
  settings.to = form == "stage"                                         ? cv::Form::stage
                : form == "et" || (form.empty() && to.ends_with(".et")) ? cv::Form::et
                                                                        : cv::Form::json;
  if (!schema.empty()) {
    workload::Schema s{};
    if (!workload::parse(schema, s))
      throw ConfigError(fmt::format("error: --schema: unknown '{}'; known: 0.0.1, 0.0.2, 0.0.3, 0.0.4, 1.0.0", schema));
    settings.schema = s;
  }
  const auto one = [&](const std::string& in, const std::string& out) {
    const cv::Result r = cv::convert_file(in, out, settings);
    fmt::print("{} ({}): {} nodes to {}\n", in, r.read_as, r.nodes, out);
  };
  if (fs::is_regular_file(from)) return one(from, to), 0;
  // A prefix: as many ranks as there are, from 0.
  if (form.empty()) settings.to = cv::Form::et;
  const char* const suffix = settings.to == cv::Form::et ? "et" : "json";
  std::uint32_t rank = 0;
  for (;; ++rank) {
    std::string in = fmt::format("{}.{}.et", from, rank);
    if (!fs::is_regular_file(in)) in = fmt::format("{}.{}.json", from, rank);
    if (!fs::is_regular_file(in)) break;
    one(in, fmt::format("{}.{}.{}", to, rank, suffix));
  }
  if (rank == 0)
    throw ConfigError(fmt::format("error: {}: neither a file nor a prefix of FROM.0.et or FROM.0.json", from));
  return 0;
}

}  // namespace

Command convert_command() { return {"convert", "converts traces between binary and JSON forms and schemas", &run}; }

}  // namespace tutti::app
