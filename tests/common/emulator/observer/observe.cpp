#include "observe.h"

#include <filesystem>
#include <fstream>

#include "emulator/observer/observer.h"
#include "report/source_lines.h"
#include "report/texts.h"

Report observe(const std::function<void()>& run, const ObserverOptions& options) {
  static tilelab::report::SourceLines lines("/proc/self/exe");
  static const bool is_resolved = [] {
    lines = tilelab::report::SourceLines(std::filesystem::read_symlink("/proc/self/exe"));
    return true;
  }();
  static_cast<void>(is_resolved);
  static_cast<void>(cudaGetLastError());  // of arrays that a fault freed before their scope ended
  tilelab::emulator::start_observing(options);
  run();
  if (cudaGetLastError() != cudaSuccess) cudaDeviceReset();
  Report report = tilelab::emulator::take_report();
  lines.resolve(report);
  return report;
}

LaunchReport launch_of(const std::function<void()>& run, const ObserverOptions& options) {
  Report report = observe(run, options);
  INFO(texts_of(report.findings));
  REQUIRE(report.launches.size() == 1);
  return report.launches[0];
}

unsigned line_of(const std::string& tag) {
  for (const auto& entry : std::filesystem::directory_iterator(KERNELS_FOLDER)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream file(entry.path());
    std::string line;
    for (unsigned number = 1; std::getline(file, line); ++number) {
      if (line.size() > tag.size() + 1 &&
          line.compare(line.size() - tag.size() - 1, std::string::npos, "@" + tag) == 0) {
        return number;
      }
    }
  }
  FAIL("no line has the tag " + tag);
  return 0;
}

MemoryCounts counts_at(const LaunchReport& launch, const std::string& tag) {
  const unsigned line = line_of(tag);
  MemoryCounts counts;
  for (const auto& at : launch.lines) {
    if (at.place.line == line) counts += at.counts;
  }
  return counts;
}

std::vector<Finding> of_kind(const LaunchReport& launch, FindingKind kind) {
  std::vector<Finding> result;
  for (const Finding& finding : launch.findings) {
    if (finding.kind == kind) result.push_back(finding);
  }
  return result;
}

std::string texts_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += tilelab::report::text_of(finding) + '\n';
  return text;
}

void require_only(const LaunchReport& launch, FindingKind kind, const std::string& tag,
                  const std::string& other_tag) {
  INFO(texts_of(launch.findings));
  REQUIRE(launch.findings.size() == 1);
  const Finding& finding = launch.findings[0];
  REQUIRE(finding.kind == kind);
  const unsigned line = line_of(tag);
  if (other_tag.empty()) {
    REQUIRE(finding.first.place.line == line);
    return;
  }
  const unsigned other = line_of(other_tag);
  const bool as_named = finding.first.place.line == line && finding.second.place.line == other;
  const bool reversed = finding.first.place.line == other && finding.second.place.line == line;
  REQUIRE((as_named || reversed));
}
