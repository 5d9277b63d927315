#include "workload/convert/convert.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "base/error.h"
#include "workload/convert/old_schema.h"
#include "workload/convert/proto_json.h"
#include "workload/convert/stage_json.h"
#include "workload/formats/chakra/schema.h"
#include "workload/trace_format.h"

namespace tutti::workload::convert {
namespace {

constexpr std::string_view space = " \t\r\n";

/// The object or list that starts at `at`, which moves behind it; empty if it does not end.
std::string_view balanced(std::string_view text, std::size_t& at) {
  const std::size_t first = at;
  int depth = 0;
  for (bool quoted = false; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return text.substr(first, ++at - first);
    }
  }
  return {};
}

/// Writes the chosen form beside its name, and moves it there at the end.
class Output {
 public:
  Output(const std::string& path, Form form)
      : path_(path), part_(path + ".part"), form_(form), out_(part_, std::ios::binary) {
    if (!out_) throw ConfigError(path_ + ": cannot be written");
  }
  ~Output() {
    std::error_code ignored;
    if (!whole_) std::filesystem::remove(part_, ignored);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void metadata(Json m) {
    if (form_ == Form::stage) {
      out_ << "{\"metadata\": " << m.dump() << ", \"nodes\": [";
    } else {
      m["version"] = "1.0.0";
      form_ == Form::et ? frame(metadata_frame(m)) : line(m);
    }
  }
  /// A node in any spelling of the mapping.
  void node(const Json& n) { node(std::string_view(node_frame(n))); }
  /// A node of schema 0.0.4 or 1.0.0.
  void node(std::string_view bytes) {
    const Json n = node_to_json(bytes);  // whatever is unknown is refused
    if (form_ == Form::et)
      frame(bytes);
    else if (form_ == Form::json)
      line(n);
    else
      out_ << (first_ ? "\n" : ",\n") << to_stage(n).dump();
    first_ = false;
  }
  void finish() {
    if (form_ == Form::stage) out_ << "\n]}\n";
    out_.close();
    std::error_code failed;
    if (out_) std::filesystem::rename(part_, path_, failed);
    if (!out_ || failed) throw ConfigError(path_ + ": cannot be written");
    whole_ = true;
  }

 private:
  void line(const Json& j) { out_ << j.dump() << '\n'; }
  void frame(std::string_view bytes) {
    std::string length;
    protozero::write_varint(std::back_inserter(length), bytes.size());
    out_ << length << bytes;
  }
  std::string path_, part_;
  Form form_;
  std::ofstream out_;
  bool first_ = true, whole_ = false;
};

[[noreturn]] void refuse(const std::string& file, std::size_t byte, const std::string& what) {
  throw ConfigError(file + ": at byte " + std::to_string(byte) + ": " + what);
}

/// Runs `body`, whose faults get the file and the byte.
template <class Body>
void at(const std::string& file, std::size_t byte, Body body) {
  try {
    body();
  } catch (const Json::exception& e) {
    refuse(file, byte, e.what());
  } catch (const protozero::exception& e) {
    refuse(file, byte, std::string("no valid message: ") + e.what());
  } catch (const ConfigError& e) {
    refuse(file, byte, e.what());
  }
}

void binary(const std::string& file, std::string_view bytes, const Settings& settings, Output& out, Result& result) {
  const auto detected = chakra::detect_schema(bytes);
  if (!detected) refuse(file, 0, "no trace: neither JSON nor metadata nor a node");
  const Schema schema = settings.schema.value_or(detected->schema);
  result.read_as = "chakra " + std::string(to_string(schema));
  chakra::Frames frames(bytes);
  std::string_view frame;
  bool first = true;
  while (frames.next(frame)) {
    at(file, frames.offset(), [&] {
      if (first && detected->has_metadata) {
        out.metadata(schema >= Schema::v0_0_4 ? metadata_to_json(frame) : Json::object());
        return;
      }
      if (first) out.metadata(Json::object());
      schema >= Schema::v0_0_4 ? out.node(frame) : out.node(from_old(schema, frame));
      ++result.nodes;
    });
    first = false;
  }
  if (!frames.why().empty()) refuse(file, frames.offset(), frames.why());
}

void stage(const std::string& file, std::string_view text, Output& out, Result& result) {
  result.read_as = "stage";
  Json metadata = Json::object();
  bool begun = false;
  std::size_t i = text.find('{') + 1;
  const auto skip = [&](std::string_view more) {
    i = text.find_first_not_of(std::string(space).append(more), i);
    if (i == std::string_view::npos) refuse(file, text.size(), "the JSON ends too early");
  };
  for (skip(","); text[i] != '}'; skip(",")) {
    const std::size_t end = text[i] == '"' ? text.find('"', i + 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse(file, i, "a key is expected");
    const std::string key(text.substr(i + 1, end - i - 1));
    const std::size_t key_at = i;
    i = end + 1;
    skip(":");
    if (key == "metadata" && !begun && text[i] == '{') {
      at(file, key_at, [&] { metadata = Json::parse(balanced(text, i)); });
      continue;
    }
    if (key != "nodes" || text[i] != '[' || begun) refuse(file, key_at, "unexpected key '" + key + "'");
    at(file, key_at, [&] { out.metadata(metadata); });
    begun = true;
    ++i;
    for (skip(","); text[i] != ']'; skip(",")) {
      const std::size_t start = i;
      if (text[i] != '{') refuse(file, i, "a node is expected");
      const std::string_view one = balanced(text, i);
      if (one.empty()) refuse(file, start, "the node does not end");
      at(file, start, [&] { out.node(from_stage(Json::parse(one))); });
      ++result.nodes;
    }
    ++i;
  }
  if (!begun) refuse(file, 0, "no \"nodes\"");
  if (text.find_first_not_of(space, i + 1) != std::string_view::npos)
    refuse(file, i + 1, "something follows the object");
}

void objects(const std::string& file, std::string_view text, Output& out, Result& result) {
  result.read_as = "json";
  bool first = true;
  for (std::size_t i = text.find_first_not_of(space); i != std::string_view::npos;
       i = text.find_first_not_of(space, i)) {
    const std::size_t start = i;
    if (text[i] != '{') refuse(file, i, "an object is expected");
    const std::string_view one = balanced(text, i);
    if (one.empty()) refuse(file, start, "the object does not end");
    at(file, start, [&] {
      const Json j = Json::parse(one);
      if (first &&
          (j.empty() || j.contains("version") || (j.contains("attr") && !j.contains("name") && !j.contains("type"))))
        return out.metadata(j);
      if (first) out.metadata(Json::object());
      out.node(j);
      ++result.nodes;
    });
    first = false;
  }
}

bool is_stage(std::string_view text) {
  const std::size_t key = text.find_first_not_of(space, text.find('{') + 1);
  return key != std::string_view::npos &&
         (text.substr(key).starts_with("\"nodes\"") || text.substr(key).starts_with("\"metadata\""));
}

}  // namespace

Result convert_file(const std::string& from, const std::string& to, const Settings& settings) {
  Faults faults;
  const FileContent content = read_file(from, {}, faults);
  if (!faults.ok()) throw ConfigError(faults.text());
  std::error_code ignored;
  if (std::filesystem::equivalent(from, to, ignored)) throw ConfigError(to + ": is the input");
  Result result;
  Output out(to, settings.to);
  const std::size_t start = content.bytes.find_first_not_of(space);
  const bool json =
      start != std::string_view::npos && content.bytes[start] == '{' && !chakra::detect_schema(content.bytes);
  if (!json)
    binary(from, content.bytes, settings, out, result);
  else if (is_stage(content.bytes))
    stage(from, content.bytes, out, result);
  else
    objects(from, content.bytes, out, result);
  out.finish();
  return result;
}

}  // namespace tutti::workload::convert
