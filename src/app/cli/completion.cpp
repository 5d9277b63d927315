#include "app/cli/completion.h"

#include <fmt/format.h>

#include "app/cli/command.h"

namespace tutti::app {
namespace {

std::vector<OptionRow> rows_of(const Command& c) { return c.options ? c.options() : std::vector<OptionRow>(); }

bool takes_files(const OptionRow& row) {
  return row.text.choices.empty() && (row.text.value.find("FILE") != std::string::npos || row.text.value == "PREFIX" ||
                                      row.text.value == "DIR" || row.names.front() == "FILE");
}

/// Within single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

/// A case of bash: what may follow the option before the cursor.
std::string bash_values(const std::vector<OptionRow>& rows) {
  std::string out;
  for (const OptionRow& row : rows) {
    if (row.flag || row.positional) continue;
    out += fmt::format("        {}) ", fmt::join(row.names, "|"));
    if (!row.text.choices.empty())
      out += fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return;;\n", fmt::join(row.text.choices, " "));
    else if (row.text.value == "DIR")
      out += "COMPREPLY=($(compgen -d -- \"$cur\")); return;;\n";
    else if (takes_files(row))
      out += "COMPREPLY=($(compgen -f -- \"$cur\")); return;;\n";
    else
      out += "return;;\n";
  }
  return out;
}

std::string bash() {
  std::string out =
      "# bash completion of tutti\n_tutti() {\n"
      "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" words\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  out +=
      fmt::format("    COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return\n  fi\n", fmt::join(commands().names(), " "));
  out += "  case \"${COMP_WORDS[1]}\" in\n";
  for (const Command& c : commands()) {
    const std::vector<OptionRow> rows = rows_of(c);
    std::vector<std::string> words;
    bool files = rows.empty();
    for (const OptionRow& row : rows) {
      if (!row.positional) words.insert(words.end(), row.names.begin(), row.names.end());
      if (!row.positional) continue;
      words.insert(words.end(), row.text.choices.begin(), row.text.choices.end());
      files = files || takes_files(row);
    }
    out += fmt::format("    {})\n", c.name);
    if (const std::string values = bash_values(rows); !values.empty())
      out += fmt::format("      case \"$prev\" in\n{}      esac\n", values);
    out += fmt::format("      words='{}'\n", fmt::join(words, " "));
    if (files) out += "      [[ \"$cur\" == -* ]] || COMPREPLY=($(compgen -f -- \"$cur\"))\n";
    out += "      ;;\n";
  }
  return out +
         "  esac\n  COMPREPLY+=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
         "complete -o filenames -F _tutti tutti\n";
}

std::string zsh() {
  std::string out = "#compdef tutti\n_tutti() {\n  if (( CURRENT == 2 )); then\n    local -a all\n    all=(\n";
  for (const Command& c : commands()) out += fmt::format("      '{}:{}'\n", c.name, quoted(std::string(c.summary)));
  out +=
      "    )\n    _describe command all\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- "
      "))\n"
      "  case $command in\n";
  const auto value = [](const OptionRow& row) {
    if (!row.text.choices.empty()) return fmt::format(":{}:({})", row.text.value, fmt::join(row.text.choices, " "));
    if (row.text.value == "DIR") return std::string(":DIR:_files -/");
    return takes_files(row) ? fmt::format(":{}:_files", row.text.value) : fmt::format(":{}: ", row.text.value);
  };
  for (const Command& c : commands()) {
    const std::vector<OptionRow> rows = rows_of(c);
    if (rows.empty()) continue;
    out += fmt::format("    {})\n      _arguments", c.name);
    for (const OptionRow& row : rows) {
      std::string help;
      for (const char ch : row.text.help) help += (ch == '[' || ch == ']' || ch == ':') ? ' ' : ch;
      if (row.positional) {
        out += fmt::format(" \\\n        '{}{}'", row.repeats ? "*" : ":", quoted(value(row)));
        continue;
      }
      for (const std::string& name : row.names)
        out += fmt::format(" \\\n        '{}{}[{}]{}'", row.repeats ? "*" : "", name, quoted(help),
                           row.flag ? "" : quoted(value(row)));
    }
    out += "\n      ;;\n";
  }
  return out + "    *) _files;;\n  esac\n}\n_tutti \"$@\"\n";
}

std::string fish() {
  std::string out = "# fish completion of tutti\ncomplete -c tutti -n __fish_use_subcommand -f\n";
  for (const Command& c : commands())
    out += fmt::format("complete -c tutti -n __fish_use_subcommand -f -a '{}' -d '{}'\n", c.name,
                       quoted(std::string(c.summary)));
  for (const Command& c : commands())
    for (const OptionRow& row : rows_of(c)) {
      const std::string when = fmt::format("complete -c tutti -n '__fish_seen_subcommand_from {}'", c.name);
      std::string words;
      for (const std::string& choice : row.text.choices) words += (words.empty() ? "" : " ") + choice;
      if (row.positional) {
        if (!words.empty()) out += fmt::format("{} -f -a '{}'\n", when, words);
        continue;
      }
      out += when;
      for (const std::string& name : row.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!row.flag) out += words.empty() && takes_files(row) ? " -r" : fmt::format(" -x -a '{}'", words);
      out += fmt::format(" -d '{}'\n", quoted(row.text.help));
    }
  return out;
}

}  // namespace

std::string completion_script(const std::string& shell) {
  return shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish();
}

}  // namespace tutti::app
