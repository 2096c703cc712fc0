// What a checked build says of the detector's cases, in every order: nothing missed, nothing
// made up, and the lines right.

#include <cuda_runtime.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cases.h"
#include "emulator/emulator.h"
#include "emulator/observer/observer.h"
#include "judge/catch.h"
#include "report/report.h"
#include "report/source_lines.h"
#include "report/texts.h"

using namespace tilelab::detector;
using tilelab::Order;
using tilelab::report::FindingKind;
using tilelab::report::MemorySpace;

namespace {

using Findings = std::vector<tilelab::report::Finding>;

Findings findings_of(const Case& a_case) {
  static tilelab::report::SourceLines lines(std::filesystem::read_symlink("/proc/self/exe"));
  tilelab::emulator::start_observing({});
  a_case.run();
  static_cast<void>(cudaGetLastError());
  tilelab::report::Report report = tilelab::emulator::take_report();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  lines.resolve(report);
  Findings all = report.findings;
  for (const auto& launch : report.launches) {
    all.insert(all.end(), launch.findings.begin(), launch.findings.end());
  }
  return all;
}

bool is_kind(const tilelab::report::Finding& finding, Finding expected) {
  switch (expected) {
    case Finding::none:
      return false;
    case Finding::note_same_value:
      return finding.kind == FindingKind::same_value_data_race;
    case Finding::shared_race:
      return finding.kind == FindingKind::data_race && finding.memory.space == MemorySpace::shared;
    case Finding::global_race:
      return finding.kind == FindingKind::data_race && finding.memory.space == MemorySpace::global;
    case Finding::out_of_bounds:
      return finding.kind == FindingKind::out_of_bounds ||
             finding.kind == FindingKind::index_out_of_bounds ||
             finding.kind == FindingKind::use_after_free ||
             finding.kind == FindingKind::host_pointer || finding.kind == FindingKind::host_address;
    case Finding::misaligned:
      return finding.kind == FindingKind::misaligned;
    case Finding::uninitialized:
      return finding.kind == FindingKind::uninitialized_read;
    case Finding::divergent_barrier:
      return finding.kind == FindingKind::divergent_barrier ||
             finding.kind == FindingKind::passed_barrier;
    case Finding::undefined_shuffle:
      return finding.kind == FindingKind::undefined_shuffle;
    case Finding::missing_lane:
      return finding.kind == FindingKind::deadlock;
    case Finding::misused_barrier:
      return finding.kind == FindingKind::fault;
    case Finding::absent_block:
      return finding.kind == FindingKind::absent_block;
    case Finding::stream_race:
    case Finding::copy_race:
      return finding.kind == FindingKind::stream_race || finding.kind == FindingKind::graph_race;
    case Finding::note_branch_mask:
      return finding.kind == FindingKind::branch_mask;
    case Finding::early_read:
      return finding.kind == FindingKind::early_read;
    case Finding::host_object:
      return finding.kind == FindingKind::host_object;
    case Finding::leak:
      return finding.kind == FindingKind::leak;
  }
  return false;
}

/// Whether a data race explains it: its reader came before its writer.
bool is_consequence(const tilelab::report::Finding& finding, const Case& a_case) {
  const bool expects_race =
      a_case.expected == Finding::shared_race || a_case.expected == Finding::global_race;
  const int line = static_cast<int>(finding.first.place.line);
  return expects_race && finding.kind == FindingKind::uninitialized_read &&
         (line == a_case.line_a || line == a_case.line_b);
}

/// Whether it names the case's lines, in either order.
bool is_placed(const tilelab::report::Finding& finding, const Case& a_case) {
  if (finding.kind == FindingKind::deadlock) {
    // Several groups of threads can wait: the sentence names the places.
    const std::string file = std::filesystem::path(a_case.file).filename();
    return finding.sentence.find(file + ':' + std::to_string(a_case.line_a)) != std::string::npos;
  }
  const int first = static_cast<int>(finding.has_first ? finding.first.place.line : 0);
  const int second = static_cast<int>(finding.has_second ? finding.second.place.line : 0);
  if (a_case.line_b == 0 || !finding.has_second) return first == a_case.line_a;
  return (first == a_case.line_a && second == a_case.line_b) ||
         (first == a_case.line_b && second == a_case.line_a);
}

std::string text_of(const Case& a_case, const Findings& findings) {
  std::string text = std::string(a_case.name) + ": expected " + name_of(a_case.expected) + " at " +
                     std::to_string(a_case.line_a) + " and " + std::to_string(a_case.line_b) +
                     ", found " + (findings.empty() ? "nothing" : "");
  for (const auto& finding : findings) text += "\n  " + text_of(finding);
  return text;
}

void check_all(Order order) {
  tilelab::emulator::set_order(order, 7);
  for (const Case& each : cases()) {
    const Findings findings = findings_of(each);
    if (each.debatable[0] != '\0') {
      std::cout << "debatable, " << each.debatable << ": " << text_of(each, findings) << '\n';
      continue;
    }
    INFO(text_of(each, findings));
    const bool is_found = std::any_of(findings.begin(), findings.end(), [&](const auto& finding) {
      return is_kind(finding, each.expected);
    });
    CHECK(is_found == (each.expected != Finding::none));
    for (const auto& finding : findings) {
      if (is_consequence(finding, each)) continue;
      if (finding.kind == FindingKind::skipped_barrier) continue;  // synccheck does not warn
      CHECK(is_kind(finding, each.expected));
      CHECK(is_placed(finding, each));
    }
  }
  tilelab::emulator::set_order(Order::ascending, 0);
}

}  // namespace

TEST_CASE("a checked build says of every case what it should: threads in order") {
  check_all(Order::ascending);
}

TEST_CASE("a checked build says of every case what it should: threads in reverse") {
  check_all(Order::descending);
}

TEST_CASE("a checked build says of every case what it should: threads at random") {
  check_all(Order::random);
}
