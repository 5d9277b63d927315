#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::net::packet {

/// A text file of words apart from white space, as ns-3's front ends read them, and the faults found in it.
/// '#' starts a comment that goes to the end of its line.
class Words {
 public:
  struct Word {
    std::string_view text;
    std::size_t line = 0;  ///< from 1; 0: there is no word
    explicit operator bool() const { return line != 0; }
  };

  /// @throws ConfigError  `path` cannot be read.
  static Words from_file(const std::string& path);
  Words(std::string text, std::string path);
  Words(const Words&) = delete;
  Words(Words&&) = delete;

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  /// The next word; none at the end.
  Word next() { return at_ < words_.size() ? words_[at_++] : Word{}; }
  Word peek() const { return at_ < words_.size() ? words_[at_] : Word{}; }
  /// Words that are left on the line of `word`.
  std::size_t left_on_line(const Word& word) const;
  void skip_line(const Word& word);

  void fault(const Word& at, const std::string& what) { fault(at.line, what); }
  void fault(std::size_t line, const std::string& what);
  bool has_faults() const { return !faults_.empty(); }
  /// Faults, a line each.
  const std::string& faults() const { return faults_; }

 private:
  std::string text_, path_, faults_;
  std::vector<Word> words_;
  std::size_t at_ = 0;
};

/// A whole number, or a number; false if `text` is anything else.
bool parse_whole(std::string_view text, std::uint64_t& out);
bool parse_number(std::string_view text, double& out);
/// ns-3's data rates: "100Gbps", "50Mb/s", "10GB/s". Bits a second.
bool parse_rate(std::string_view text, std::uint64_t& out);
/// ns-3's times, which need a unit here: "0.0005ms", "1us". In ns, rounded.
bool parse_delay(std::string_view text, std::int64_t& out_ns);

}  // namespace tutti::net::packet
