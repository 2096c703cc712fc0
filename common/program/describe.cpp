// describe_report PROGRAM REPORT
//
// Says what a checked program's report holds, as schema/program.h describes it. PROGRAM is the file
// that wrote the report.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "program/report_file.h"
#include "report/causes/causes.h"
#include "report/declarations/names.h"
#include "report/launch_record.h"
#include "report/source_lines.h"
#include "report/texts.h"
#include "schema/json.h"
#include "schema/program.h"

namespace tilelab::program {
namespace {

using report::Finding;
using report::Report;
using report::SourcePlace;

std::string trimmed(const std::string& line) {
  constexpr std::size_t longest = 80;
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  const std::string text = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

/// The text of a file, "" if it cannot be read.
const std::string& text_of_file(const std::string& path) {
  static std::map<std::string, std::string> texts;
  const auto [found, is_new] = texts.try_emplace(path);
  std::ifstream file(path);
  if (is_new && file) found->second.assign(std::istreambuf_iterator<char>(file), {});
  return found->second;
}

/// The text of a line, "" if the file cannot be read.
std::string text_at(const SourcePlace& place) {
  std::istringstream file(text_of_file(place.file));
  std::string line;
  for (unsigned number = 0; number < place.line; ++number) {
    if (!std::getline(file, line)) return "";
  }
  return trimmed(line);
}

std::string show(const SourcePlace& place) {
  const std::string code = text_at(place);
  return report::file_and_line(place) + (code.empty() ? "" : " `" + code + "`");
}

/// Whether the file is a source of the emulator, which calls the program and is called by it.
bool is_of_emulator(const std::string& file) {
  return file.find("/common/emulator/runtime/") != std::string::npos ||
         file.find("/common/emulator/observer/") != std::string::npos;
}

bool is_of_program(const SourcePlace& place) {
  return place.line > 0 && !report::is_of_library(place.file) && !is_of_emulator(place.file);
}

/// The end of the process frees all memory, so a leak is no mistake.
bool is_note(const Finding& finding) {
  return finding.is_note() || report::row_of(finding.kind).severity == report::Severity::untidy;
}

/// The places that the finding names.
std::vector<schema::SourceLine> places_of(const Finding& finding) {
  std::vector<schema::SourceLine> places;
  const auto add = [&places](const SourcePlace& place) {
    if (!place.file.empty()) places.push_back({place.file, place.line});
  };
  if (finding.has_first) add(finding.first.place);
  if (finding.has_second) add(finding.second.place);
  std::ranges::for_each(finding.launches, add);
  return places;
}

using Line = std::pair<std::string, unsigned>;

/// What a mistake is about: a kind, an array, lines, whether both threads are of one block, and
/// what the runtime says.
using Cause = std::tuple<report::FindingKind, std::string, Line, Line, bool, std::string>;

Cause cause_of(const Finding& finding) {
  Line first{finding.first.place.file, finding.first.place.line};
  Line second{finding.second.place.file, finding.second.place.line};
  if (second < first) std::swap(first, second);
  const bool of_one_block = finding.first.block == finding.second.block;
  return {finding.kind, finding.memory.name, first, second, of_one_block, finding.sentence};
}

/// One finding for each cause, with the number of all.
std::vector<Finding> by_cause(const std::vector<Finding>& all) {
  std::map<Cause, std::size_t> numbers;
  std::vector<Finding> kept;
  for (const Finding& one : all) {
    const bool has_lines = one.has_first && !one.first.place.file.empty();
    const auto [found, is_new] = numbers.try_emplace(cause_of(one), kept.size());
    if (is_new || !has_lines) {
      kept.push_back(one);
    } else {
      kept[found->second].join(one);
    }
  }
  report::keep_causes(kept);
  return kept;
}

schema::Ending ending_of(const Progress& progress, const Report& report) {
  schema::Ending ending{progress.ended_by.data(), progress.launches, ""};
  for (const report::LaunchReport& one : report.launches) ending.launches += one.launches;
  if (progress.kernel[0] == '\0') return ending;
  const SourcePlace launch{0, progress.file.data(), progress.line};
  ending.during = std::string(progress.kernel.data()) + " in " + show(launch);
  return ending;
}

schema::ProgramReport described(const char* program, const char* path) {
  auto [progress, all] = read_report_file(path);
  report::SourceLines lines(program);
  lines.resolve(all);
  lines.name_callers(all, is_of_program);
  schema::ProgramReport made;
  made.ending = ending_of(progress, all);
  // Each size of a launch, and each instance of a template, has a report of its own.
  std::vector<Finding> findings;
  for (const report::LaunchReport& launch : all.launches) {
    std::ranges::copy(launch.findings, std::back_inserter(findings));
    made.launches.push_back(report::record_of(launch, text_at));
  }
  std::ranges::copy(all.findings, std::back_inserter(findings));
  for (Finding& one : by_cause(findings)) {
    const SourcePlace& place = one.first.place;
    report::name_as_declared(one.memory, text_of_file(place.file), place.line);
    made.findings.push_back({report::text_of(one, show), is_note(one), places_of(one)});
  }
  return made;
}

}  // namespace
}  // namespace tilelab::program

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: describe_report PROGRAM REPORT\n";
    return 2;
  }
  try {
    const auto report = tilelab::program::described(argv[1], argv[2]);
    std::cout << to_json(tilelab::schema::Begin{}) << '\n' << to_json(report) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "describe_report: " << error.what() << '\n';
    return 1;
  }
}
