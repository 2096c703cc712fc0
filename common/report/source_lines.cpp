#include "report/source_lines.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tilelab::report {
namespace {

/// Every place in the report.
std::vector<SourcePlace*> places_in(Report& report) {
  std::vector<SourcePlace*> places;
  const auto add_findings = [&](std::vector<Finding>& findings) {
    for (Finding& finding : findings) {
      places.push_back(&finding.first.place);
      places.push_back(&finding.second.place);
    }
  };
  add_findings(report.findings);
  for (LaunchReport& launch : report.launches) {
    add_findings(launch.findings);
    for (LineCounts& line : launch.lines) places.push_back(&line.place);
    for (SourcePlace& place : launch.trace.places) places.push_back(&place);
  }
  return places;
}

/// Whether the mangled name is that of a class's copy or move: a constructor or an operator=. Most
/// of them nobody has written, and their line is that of the class.
bool is_copy(std::string_view function) {
  // It ends with the kind of function and a reference to its class, such as "aSERKS_" or "C2EOS0_".
  const std::size_t name = function.rfind('S');
  if (name == function.npos || !function.ends_with('_')) return false;
  function = function.substr(0, name);
  for (const std::string_view kind : {"aSERK", "aSEO", "C1ERK", "C1EO", "C2ERK", "C2EO"}) {
    if (function.ends_with(kind)) return true;
  }
  return false;
}

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (pipe == nullptr) throw std::runtime_error("cannot run addr2line");
  // The names in it are a submission's own, and can be as long as its file.
  constexpr std::size_t most = std::size_t{64} << 20;
  std::string output;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) {
    output.append(buffer, n);
    if (output.size() > most) throw std::runtime_error("the names of source files are too long");
  }
  return output;
}

/// Host code made the call there that the finding is about.
void add_call(Finding& finding, const SourcePlace& place) {
  // The sides of these are threads.
  const bool has_threads = finding.kind == FindingKind::stream_race ||
                           finding.kind == FindingKind::graph_race ||
                           finding.kind == FindingKind::caller_race;
  if (has_threads) {
    finding.launches.push_back(place);
  } else if (!finding.has_first) {
    finding.has_first = true;
    finding.first.place = place;
  } else {
    finding.has_second = true;
    finding.second.place = place;
  }
}

}  // namespace

bool is_of_library(const std::string& file) {
  return file.find("/emulator/include/") != std::string::npos ||
         file.find("/include/c++/") != std::string::npos || file.starts_with("/usr/include/") ||
         file.starts_with("/usr/lib/");
}

void SourceLines::resolve(Report& report) { resolve(places_in(report)); }

std::optional<SourcePlace> SourceLines::innermost(std::span<const std::uint64_t> callers,
                                                  bool (*is_wanted)(const SourcePlace&)) {
  std::vector<SourcePlace> places;
  for (const std::uint64_t code : callers) places.push_back({code, "", 0});
  std::vector<SourcePlace*> all;
  for (SourcePlace& place : places) all.push_back(&place);
  resolve(all);
  const auto found = std::find_if(places.begin(), places.end(), is_wanted);
  return found == places.end() ? std::nullopt : std::optional(*found);
}

void SourceLines::name_callers(Report& report, bool (*is_wanted)(const SourcePlace&)) {
  name_callers(report.findings, is_wanted);
  for (LaunchReport& launch : report.launches) name_callers(launch.findings, is_wanted);
}

void SourceLines::name_callers(std::vector<Finding>& findings,
                               bool (*is_wanted)(const SourcePlace&)) {
  for (Finding& finding : findings) {
    for (const auto* const callers : {&finding.callers, &finding.other_callers}) {
      if (callers->empty()) continue;
      if (const auto place = innermost(*callers, is_wanted)) add_call(finding, *place);
    }
  }
}

void SourceLines::resolve(const std::vector<SourcePlace*>& places) {
  std::vector<std::uint64_t> wanted;
  for (const SourcePlace* place : places) {
    if (place->code != 0 && known_.emplace(place->code, Line{"", 0}).second) {
      wanted.push_back(place->code);
    }
  }
  constexpr std::size_t at_once = 500;  // a command line must not get too long
  for (std::size_t begin = 0; begin < wanted.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, wanted.size());
    look_up({wanted.begin() + static_cast<std::ptrdiff_t>(begin),
             wanted.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  for (SourcePlace* place : places) fill(*place);
}

/// Runs addr2line -i -a -f, which prints each address, then its function and its line, then those
/// that inlined it.
void SourceLines::look_up(const std::vector<std::uint64_t>& addresses) {
  // What it reads was made from a submission, so its memory (in KiB) and time are limited.
  std::string command =
      "ulimit -v 4194304; ulimit -t 60; exec addr2line -i -a -f -e " + shell_quoted(executable_);
  for (const std::uint64_t address : addresses) {
    char text[32];
    std::snprintf(text, sizeof text, " 0x%llx", static_cast<unsigned long long>(address));
    command += text;
  }
  const std::string output = output_of(command);
  if (output.empty()) throw std::runtime_error("addr2line said nothing: install binutils");
  std::uint64_t address = 0;
  bool is_done = false;
  bool is_outside = false;              // its line is known, and one of the submission may call it
  std::optional<std::string> function;  // whose line comes next
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    const std::string line = output.substr(begin, end - begin);
    begin = end + 1;
    if (line.rfind("0x", 0) == 0 && line.find(':') == std::string::npos) {
      address = std::stoull(line, nullptr, 16);
      is_done = is_outside = false;
      function.reset();
      continue;
    }
    if (!function) {
      function = line;
      continue;
    }
    const bool is_of_copy = is_copy(*std::exchange(function, std::nullopt));
    const std::size_t colon = line.rfind(':');
    if (is_done || colon == std::string::npos || line[0] == '?') continue;
    const std::string file = line.substr(0, colon);
    if (is_outside && !is_source(file)) continue;
    known_[address] = {file, static_cast<unsigned>(std::strtoul(&line[colon + 1], nullptr, 10))};
    if (is_of_library(file) || is_of_copy) continue;
    is_done = source_.empty() || is_source(file);
    is_outside = !is_done;
  }
}

bool SourceLines::is_source(const std::string& file) const {
  return !source_.empty() && file.substr(file.rfind('/') + 1) == source_;
}

void SourceLines::fill(SourcePlace& place) const {
  const auto line = known_.find(place.code);
  if (place.code == 0 || line == known_.end()) return;
  place.file = line->second.file;
  place.line = line->second.number;
}

}  // namespace tilelab::report
