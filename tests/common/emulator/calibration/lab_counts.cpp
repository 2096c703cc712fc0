// Prints what a checked build sees of every lab's baseline, solution and ladder steps: the traffic
// of each launch, and findings, of which there must be none. It does not print lines, because
// compilers choose different ones for an expression on several lines.

#include <cuda_runtime.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "cases.h"
#include "emulator/observer/observer.h"
#include "report/report.h"
#include "report/source_lines.h"
#include "report/texts.h"

namespace {

using namespace tilelab::emulator;
using namespace tilelab::report;

void print(const char* name, const AccessCounts& counts) {
  if (counts.instructions == 0) return;
  std::printf(" | %s", name);
  for (const std::uint64_t count : {counts.instructions, counts.thread_accesses, counts.sectors,
                                    counts.wavefronts, counts.bank_conflicts()}) {
    std::printf(" %llu", static_cast<unsigned long long>(count));
  }
}

void print(const MemoryCounts& counts) {
  tilelab::schema::for_each_field<MemoryCounts>([&](const auto& access) {
    // Compilers keep different values on the stack.
    if (access.name.starts_with("local")) return;
    print(access.name.data(), counts.*access.member);
  });
  std::printf("\n");
}

std::size_t print(const std::string& name, const LaunchReport& launch) {
  std::printf("%s %s: %llu and %llu bytes", name.c_str(), launch.kernel.c_str(),
              static_cast<unsigned long long>(launch.distinct_global_bytes_loaded),
              static_cast<unsigned long long>(launch.distinct_global_bytes_stored));
  print(launch.totals);
  for (const Finding& finding : launch.findings) std::printf("%s\n", text_of(finding).c_str());
  return launch.findings.size();
}

}  // namespace

int main() {
  SourceLines lines(std::filesystem::read_symlink("/proc/self/exe"));
  std::size_t finding_count = 0;
  for (const auto& each : tilelab::calibration::cases()) {
    start_observing({});
    const bool is_right = each.run();
    Report report = take_report();
    lines.resolve(report);
    if (!is_right) std::printf("%s failed\n", each.name.c_str());
    finding_count += report.findings.size() + (is_right ? 0 : 1);
    for (const Finding& finding : report.findings) std::printf("%s\n", text_of(finding).c_str());
    for (const LaunchReport& launch : report.launches) finding_count += print(each.name, launch);
  }
  return finding_count == 0 && !tilelab::calibration::cases().empty() ? 0 : 1;
}
