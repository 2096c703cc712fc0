#include "cases.h"

#include <algorithm>
#include <cstring>
#include <fstream>

// The linker defines these as the list's begin and end.
extern "C" const tilelab::detector::Entry* const __start_detector_cases[];
extern "C" const tilelab::detector::Entry* const __stop_detector_cases[];

namespace tilelab::detector {
namespace {

/// The first line of the case's namespace whose last comment holds `mark`, or 0.
int marked_line(const Entry& a_case, char mark) {
  std::ifstream source(a_case.file);
  const std::string begin = std::string("namespace ") + a_case.name + " {";
  const std::string end = std::string("}  // namespace ") + a_case.name;
  bool inside = false;
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    if (line == begin) inside = true;
    if (line == end) break;
    const std::size_t comment = line.rfind("// ");
    if (!inside || comment == std::string::npos) continue;
    const std::string marks = line.substr(comment + 3);
    if (marks == std::string(1, mark) || marks == "A B") return number;
  }
  return 0;
}

}  // namespace

const char* name_of(Finding finding) {
  switch (finding) {
    case Finding::none:
      return "none";
    case Finding::note_same_value:
      return "note_same_value";
    case Finding::shared_race:
      return "shared_race";
    case Finding::global_race:
      return "global_race";
    case Finding::out_of_bounds:
      return "out_of_bounds";
    case Finding::misaligned:
      return "misaligned";
    case Finding::uninitialized:
      return "uninitialized";
    case Finding::divergent_barrier:
      return "divergent_barrier";
    case Finding::undefined_shuffle:
      return "undefined_shuffle";
    case Finding::missing_lane:
      return "missing_lane";
    case Finding::misused_barrier:
      return "misused_barrier";
    case Finding::absent_block:
      return "absent_block";
    case Finding::stream_race:
      return "stream_race";
    case Finding::copy_race:
      return "copy_race";
    case Finding::note_branch_mask:
      return "note_branch_mask";
    case Finding::early_read:
      return "early_read";
    case Finding::host_object:
      return "host_object";
    case Finding::leak:
      return "leak";
  }
  return "";
}

const std::vector<Case>& cases() {
  static const std::vector<Case> sorted = [] {
    std::vector<Case> all;
    for (auto entry = __start_detector_cases; entry != __stop_detector_cases; ++entry) {
      all.push_back({**entry, marked_line(**entry, 'A'), marked_line(**entry, 'B')});
    }
    std::sort(all.begin(), all.end(),
              [](const Case& a, const Case& b) { return std::strcmp(a.name, b.name) < 0; });
    return all;
  }();
  return sorted;
}

}  // namespace tilelab::detector
