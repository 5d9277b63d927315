#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "workload/trace_format.h"

namespace tutti::workload {
namespace {

void fault(Faults& faults, const char* rule, const std::string& file, std::string message, std::string hint = {}) {
  Fault f;
  f.rule = rule;
  f.file = file;
  f.message = std::move(message);
  f.hint = std::move(hint);
  faults.add(std::move(f));
}

FileContent inflate_gzip(const std::string& path, std::string_view packed, const ReadOptions& options, Faults& faults) {
  auto out = std::make_shared<std::string>();
  z_stream z{};
  std::string why;
  if (inflateInit2(&z, 15 + 16) != Z_OK) why = "zlib cannot start";
  std::size_t in = 0;
  std::vector<unsigned char> buffer(1U << 18);
  while (why.empty()) {
    if (z.avail_in == 0 && in < packed.size()) {
      const std::size_t n = std::min<std::size_t>(packed.size() - in, 1U << 30);
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in));
      z.avail_in = static_cast<uInt>(n);
      in += n;
    }
    z.next_out = buffer.data();
    z.avail_out = static_cast<uInt>(buffer.size());
    const int status = ::inflate(&z, Z_NO_FLUSH);
    out->append(reinterpret_cast<char*>(buffer.data()), buffer.size() - z.avail_out);
    const bool ended = z.avail_in == 0 && in == packed.size();
    if (out->size() > options.max_inflated) {
      why = "inflates to more than " + std::to_string(options.max_inflated) + " bytes";
    } else if (status == Z_STREAM_END) {
      if (ended) break;
      inflateReset(&z);
    } else if (status == Z_BUF_ERROR || (status == Z_OK && ended && z.avail_out != 0)) {
      why = "the gzip stream is truncated after " + std::to_string(out->size()) + " inflated bytes";
    } else if (status != Z_OK) {
      why = "damaged gzip stream after " + std::to_string(out->size()) + " inflated bytes";
    }
  }
  inflateEnd(&z);
  if (why.empty() && out->empty()) why = "inflates to nothing";
  if (!why.empty()) {
    fault(faults, "gzip", path, why);
    return {};
  }
  return {*out, out};
}

/// Rank in "X.<digits>.et", or -1.
std::int32_t rank_of(std::string_view path, std::string_view& digits) {
  if (!path.ends_with(".et")) return -1;
  path.remove_suffix(3);
  const auto dot = path.rfind('.');
  if (dot == std::string_view::npos) return -1;
  digits = path.substr(dot + 1);
  if (digits.empty() || digits.size() > 9 ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return -1;
  return std::stoi(std::string(digits));
}

}  // namespace

FileContent read_file(const std::string& path, const ReadOptions& options, Faults& faults) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info{};
  if (fd < 0 || ::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    const std::string why = fd < 0 ? std::strerror(errno) : "not a regular file";
    if (fd >= 0) ::close(fd);
    fault(faults, "unreadable", path, "cannot be read: " + why);
    return {};
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* const at = size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  ::close(fd);
  if (size == 0 || at == MAP_FAILED) {
    fault(faults, size == 0 ? "empty-file" : "unreadable", path, size == 0 ? "the file is empty" : "cannot be mapped");
    return {};
  }
  FileContent content{{static_cast<const char*>(at), size},
                      std::shared_ptr<const void>(at, [size](const void* p) { ::munmap(const_cast<void*>(p), size); })};
  if (content.bytes.starts_with("\x1f\x8b")) return inflate_gzip(path, content.bytes, options, faults);
  return content;
}

ReadResult read_trace(const std::string& path, const ReadOptions& options) {
  ReadResult result{Trace{}, Faults(options.max_faults)};
  result.trace.file = path;
  std::string_view digits;
  result.trace.rank = std::max(0, rank_of(path, digits));
  const FileContent content = read_file(path, options, result.faults);
  if (content.bytes.empty()) return result;
  std::string known;
  for (const TraceFormat* format : trace_formats()) {
    if (format->detect(content.bytes)) {
      format->read(content, options, result.trace, result.faults);
      return result;
    }
    known += (known.empty() ? "" : ", ") + std::string(format->name());
  }
  fault(result.faults, "unknown-format", path, "this is no trace in a known format; known: " + known);
  return result;
}

TraceSet read_trace_set(const std::string& prefix, const ReadOptions& options) {
  namespace fs = std::filesystem;
  TraceSet set{prefix, {}, Faults(options.max_faults)};
  const fs::path path(prefix);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string base = path.filename().string() + ".";
  const auto file_of = [&](std::int32_t rank) { return prefix + "." + std::to_string(rank) + ".et"; };
  std::vector<std::int32_t> ranks;
  std::vector<std::string> others;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(base)) continue;
    std::string_view digits;
    const std::int32_t rank = rank_of(name, digits);
    if (rank < 0 || name.size() != base.size() + digits.size() + 3 || (digits.size() > 1 && digits[0] == '0'))
      others.push_back(name);
    else
      ranks.push_back(rank);
  }
  // A folder lists its files in any order: sort, so that the same input gives the same report.
  std::sort(ranks.begin(), ranks.end());
  std::sort(others.begin(), others.end());
  for (const std::string& name : others) {
    std::string_view digits;
    if (rank_of(name, digits) >= 0 && digits.size() > 1 && digits[0] == '0' &&
        name.size() == base.size() + digits.size() + 3)
      fault(set.faults, "padded-rank", (folder / name).string(), "the rank in the name has leading zeros");
  }
  if (ranks.empty())
    fault(set.faults, "no-traces", prefix, "no file " + base + "<rank>.et",
          failed                    ? failed.message()
          : prefix.ends_with(".et") ? "give the prefix without .<rank>.et"
          : others.empty()          ? ""
                                    : "there is " + others.front());
  std::int32_t next = 0;
  const auto missing_until = [&](std::int32_t end, const std::string& why) {
    for (; next < end; ++next) {
      if (set.faults.full())
        set.faults.count_only(true);
      else
        fault(set.faults, "missing-file", file_of(next), "missing: " + why);
    }
  };
  for (const std::int32_t rank : ranks) {
    const std::string file = file_of(rank);
    if (options.expected_ranks && rank >= *options.expected_ranks) {
      fault(set.faults, "extra-file", file,
            "extra: the network has " + std::to_string(*options.expected_ranks) + " ranks");
      continue;
    }
    missing_until(rank, "there is a trace for rank " + std::to_string(rank));
    next = rank + 1;
    ReadResult one = read_trace(file, options);
    set.faults.add(one.faults);
    set.ranks.push_back(std::move(one.trace));
  }
  if (options.expected_ranks && !ranks.empty())
    missing_until(*options.expected_ranks, "the network has " + std::to_string(*options.expected_ranks) + " ranks");
  return set;
}

}  // namespace tutti::workload
