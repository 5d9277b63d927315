#include "app/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/suggest.h"

namespace tutti::app {
namespace {

using Set = std::function<std::string(const std::string&)>;

/// What `f` throws, as text without its "error: " and the option's name.
template <class F>
std::string complaint(F&& f) {
  try {
    f();
    return {};
  } catch (const ConfigError& e) {
    const std::string text = e.what();
    return text.substr(text.find(": ", 7) == std::string::npos ? 0 : text.find(": ", 7) + 2);
  }
}

bool bare_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

}  // namespace

bool Options::Option::is(std::string_view name) const {
  return !row.positional && std::find(row.names.begin(), row.names.end(), name) != row.names.end();
}

Options::Option& Options::add(std::vector<std::string_view> names, OptionText text, std::string fallback, Set set) {
  Option one;
  one.row.names.assign(names.begin(), names.end());
  one.row.text = std::move(text);
  one.row.fallback = std::move(fallback);
  one.row.group = group_;
  one.set = std::move(set);
  for (const auto& name : one.row.names) CHECK(!find(name), "option " + name + " is declared twice");
  options_.push_back(std::move(one));
  return options_.back();
}

void Options::value(std::vector<std::string_view> names, std::string& out, OptionText text) {
  add(std::move(names), std::move(text), out, [&out](const std::string& v) { return out = v, ""; });
}
void Options::value(std::vector<std::string_view> names, std::uint64_t& out, std::uint64_t low, std::uint64_t high,
                    OptionText text) {
  if (text.value == "VALUE") text.value = "N";
  add(std::move(names), std::move(text), std::to_string(out),
      [&out, low, high](const std::string& v) { return complaint([&] { out = whole("", v, low, high); }); });
}
void Options::value(std::vector<std::string_view> names, double& out, OptionText text) {
  if (text.value == "VALUE") text.value = "X";
  add(std::move(names), std::move(text), fmt::format("{}", out),
      [&out](const std::string& v) { return complaint([&] { out = number("", v); }); });
}
void Options::value(std::vector<std::string_view> names, Bytes& out, OptionText text) {
  if (text.value == "VALUE") text.value = "SIZE";
  add(std::move(names), std::move(text), to_string(out), [&out](const std::string& v) {
    std::string why;
    if (!tutti::parse(bare_number(v) ? v + " B" : v, out, why)) return why;
    return std::string(out < Bytes() ? "'" + v + "' is less than nothing" : "");
  });
}
void Options::value(std::vector<std::string_view> names, Time& out, OptionText text) {
  if (text.value == "VALUE") text.value = "TIME";
  add(std::move(names), std::move(text), to_string(out), [&out](const std::string& v) {
    std::string why;
    return tutti::parse(v, out, why) ? std::string() : why;
  });
}
void Options::value(std::vector<std::string_view> names, std::vector<std::string>& out, OptionText text) {
  add(std::move(names), std::move(text), "", [&out](const std::string& v) {
    return out.push_back(v), "";
  }).row.repeats = true;
}
void Options::flag(std::vector<std::string_view> names, bool& out, OptionText text) {
  text.value.clear();
  add(std::move(names), std::move(text), out ? "true" : "", [&out](const std::string& v) -> std::string {
    if (v == "true" || v == "1" || v == "on")
      out = true;
    else if (v == "false" || v == "0" || v == "off")
      out = false;
    else
      return fmt::format("true or false is needed, not '{}'", v);
    return {};
  }).row.flag = true;
}
void Options::positional(std::string_view name, std::string& out, bool required, OptionText text) {
  Option& one = add({name}, std::move(text), out, [&out](const std::string& v) { return out = v, ""; });
  one.row.positional = true;
  one.row.required = required;
}
void Options::positionals(std::string_view name, std::vector<std::string>& out, OptionText text) {
  Option& one = add({name}, std::move(text), "", [&out](const std::string& v) { return out.push_back(v), ""; });
  one.row.positional = one.row.repeats = true;
}

Options::Option* Options::find(std::string_view name) {
  for (Option& o : options_)
    if (o.is(name)) return &o;
  return nullptr;
}

std::string Options::unknown(std::string_view name) const {
  std::vector<std::string> known;
  for (const Option& o : options_)
    if (!o.row.positional) known.insert(known.end(), o.row.names.begin(), o.row.names.end());
  return fmt::format("unknown option '{}'{}", name, did_you_mean(name, std::span<const std::string>(known)));
}

std::string Options::given(std::string_view name) const {
  for (const Option& o : options_)
    if (o.row.names.front() == name) return o.seen;
  return {};
}

std::vector<OptionRow> Options::rows() const {
  std::vector<OptionRow> all;
  for (const Option& o : options_) all.push_back(o.row);
  return all;
}

std::string Options::assign(Option& option, std::string_view name, const std::string& value) {
  const bool again = !option.seen.empty() && !option.row.repeats;
  option.seen = name;
  if (again) return fmt::format("option {} is given twice", name);
  const auto& choices = option.row.text.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
    return fmt::format("{}: {}", name, unknown_name("value", value, choices));
  const std::string why = option.set(value);
  return why.empty() ? why : fmt::format("{}: {}", name, why);
}

void Options::parse(const std::vector<std::string_view>& arguments) {
  words_.assign(arguments.begin(), arguments.end());
  std::string faults;
  const auto fault = [&](const std::string& what) {
    if (!what.empty()) faults += (faults.empty() ? "" : "\n") + ("error: " + what);
  };
  bool words_only = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--" && !words_only) {
      words_only = true;
      continue;
    }
    if (words_only || !looks_like_option(word)) {
      const auto free = std::find_if(options_.begin(), options_.end(), [](const Option& o) {
        return o.row.positional && (o.seen.empty() || o.row.repeats);
      });
      if (free == options_.end())
        fault(unknown(word));
      else
        fault(assign(*free, free->row.names.front(), std::string(word)));
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    Option* const option = find(name);
    if (!option) {
      fault(unknown(name));
      // Its value, if it has one, is not a fault of its own.
      if (equals == std::string_view::npos && i + 1 < arguments.size() && !looks_like_option(arguments[i + 1])) ++i;
      continue;
    }
    if (equals != std::string_view::npos)
      fault(assign(*option, name, std::string(word.substr(equals + 1))));
    else if (option->row.flag)
      fault(assign(*option, name, "true"));
    else if (i + 1 == arguments.size() || arguments[i + 1].starts_with("--"))
      fault(fmt::format("{} needs a value", name));
    else
      fault(assign(*option, name, std::string(arguments[++i])));
  }
  for (const Option& o : options_)
    if (o.row.required && o.seen.empty()) fault(fmt::format("{} is missing", o.row.names.front()));
  if (!faults.empty()) throw ConfigError(faults);
}

}  // namespace tutti::app
