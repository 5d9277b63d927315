#include "app/cli/help.h"

#include <fmt/format.h>

#include "base/version.h"

namespace tutti::app {
namespace {

std::string left_column(const OptionRow& row) {
  std::string out = row.names.front();
  for (std::size_t i = 1; i < row.names.size(); ++i)
    if (row.names[i].size() == 2) out = row.names[i] + ", " + out;
  if (row.flag || row.positional) return out;
  std::string value = row.text.value;
  if (!row.text.choices.empty() && value == "VALUE") value = fmt::format("{}", fmt::join(row.text.choices, "|"));
  return out + " " + value;
}

std::string right_column(const OptionRow& row) {
  std::string out = row.text.help;
  const auto note = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  if (row.repeats) note("may be repeated");
  if (!row.fallback.empty()) note("default " + row.fallback);
  std::string aliases;
  for (std::size_t i = 1; i < row.names.size(); ++i)
    if (row.names[i].size() > 2) aliases += (aliases.empty() ? "" : ", ") + row.names[i];
  if (!aliases.empty()) note("also " + aliases);
  return out;
}

/// Text with its lines broken before `columns`, continued below `indent`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::size_t at = indent;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    const std::string_view word = text.substr(i, end - i);
    if (at > indent && at + 1 + width(word) > columns) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (at > indent) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width(word);
    i = end + 1;
  }
  return out;
}

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  for (std::size_t at = 0; at != std::string::npos && at < out.size();) {
    if (out[at] == '.' || out[at] == '\'') out.insert(at, "\\&");
    at = out.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  return out;
}

}  // namespace

std::string usage_line(const Command& command, const std::vector<OptionRow>& rows) {
  std::string out = fmt::format("tutti {}", command.name);
  for (const OptionRow& row : rows)
    if (row.positional)
      out += fmt::format(" {}{}{}{}", row.required ? "" : "[", row.names.front(), row.repeats ? "..." : "",
                         row.required ? "" : "]");
  return out + " [options]";
}

std::string overview() {
  Table table({"", ""});
  for (const Command& c : commands()) table.add({std::string(c.name), std::string(c.summary)});
  return "usage: tutti COMMAND [options]\n\n" + table.text(2) +
         "\n`tutti help COMMAND` says more. Exit codes: 0 done and verified, 2 bad input, 3 wrong data, 4 deadlock or\n"
         "incomplete, 5 a bound or an invariant violated, 70 internal error, 130 interrupted.\n";
}

std::string help_text(const Command& command) {
  const std::vector<OptionRow> rows = command.options();
  const CommandText text = command.text();
  std::string out = fmt::format("usage: {}\n{}: {}\n", usage_line(command, rows), command.name, command.summary);
  if (!text.about.empty()) out += fmt::format("\n{}\n", text.about);
  std::size_t left = 0;
  for (const OptionRow& row : rows)
    if (const std::size_t w = width(left_column(row)); w <= 30) left = std::max(left, w);
  std::string group = "\n";
  for (const OptionRow& row : rows) {
    const std::string heading = row.positional ? "Arguments" : row.group.empty() ? "Options" : row.group;
    if (heading != group) out += fmt::format("\n{}:\n", group = heading);
    const std::string name = left_column(row), help = wrapped(right_column(row), left + 4, 110);
    if (width(name) > left)
      out += fmt::format("  {}\n{}{}\n", name, std::string(left + 4, ' '), help);
    else
      out += fmt::format("  {}{}{}\n", name, std::string(left + (help.empty() ? 0 : 2) - width(name), ' '), help);
  }
  if (!text.examples.empty()) out += "\nExamples:\n";
  for (const Example& e : text.examples) out += fmt::format("  {}\n      {}\n", e.line, e.shows);
  return out;
}

void print_help(const Command& command, std::FILE* to) { std::fputs(help_text(command).c_str(), to); }

std::string manual_page() {
  std::string out = fmt::format(
      ".TH TUTTI 1 \"\" \"tutti {}\" \"User Commands\"\n.SH NAME\ntutti \\- simulates collective communication of AI "
      "machines\n.SH SYNOPSIS\n.B tutti\n.I COMMAND\n[options]\n.SH COMMANDS\n",
      version);
  for (const Command& c : commands()) {
    out += fmt::format(".SS {}\n{}.\n", roff(c.name), roff(c.summary));
    if (!c.options) {
      out += fmt::format("Its options are printed by\n.BR \"tutti {} \\-\\-help\" .\n", c.name);
      continue;
    }
    const std::vector<OptionRow> rows = c.options();
    const CommandText text = c.text();
    out += fmt::format(".PP\n.B {}\n", roff(usage_line(c, rows)));
    if (!text.about.empty()) out += fmt::format(".PP\n{}\n", roff(text.about));
    for (const OptionRow& row : rows)
      out += fmt::format(".TP\n.B {}\n{}\n", roff(left_column(row)), roff(right_column(row)));
    for (const Example& e : text.examples)
      out += fmt::format(".PP\n{}:\n.PP\n.nf\n    {}\n.fi\n", roff(e.shows), roff(e.line));
  }
  return out +
         ".SH EXIT STATUS\n0 done and verified; 2 bad command line or input; 3 wrong data; 4 deadlock or incomplete;\n"
         "5 a bound, an invariant or a hazard was violated; 70 internal error; 130 interrupted.\n"
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour, even on a terminal\n";
}

}  // namespace tutti::app
