// The detector's cases in the fast build: all of them run, and those fault that hardware would stop
// as well.

#include <cuda_runtime.h>

#include <fstream>
#include <set>
#include <string>

#include "cases.h"
#include "emulator/emulator.h"
#include "judge/catch.h"

using namespace tilelab::detector;

namespace {

/// The error that the case leaves behind.
cudaError_t error_of(const Case& a_case) {
  a_case.run();
  const cudaError_t error = cudaGetLastError();
  INFO(a_case.name << ": " << tilelab::emulator::fault_message());
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  return error;
}

/// Whether threads wait for others that do not come, touch unmapped memory, or leave a block of
/// device memory at its begin or with a store at its end.
bool stops_without_watching(const Case& a_case) {
  static const std::set<std::string> unmapped = {"store_far_away",
                                                 "store_to_null",
                                                 "shared_far_away",
                                                 "guard_off_by_one",
                                                 "tail_without_guard",
                                                 "left_neighbor_of_the_first",
                                                 "wrong_kernel_through_a_variable"};
  return a_case.expected == Finding::divergent_barrier ||
         a_case.expected == Finding::missing_lane || unmapped.count(a_case.name) == 1;
}

/// Whether it is a matter of chance what such an access hits.
bool may_stop(const Case& a_case) {
  return a_case.expected == Finding::out_of_bounds || a_case.expected == Finding::misaligned;
}

}  // namespace

TEST_CASE("the fast build stops what hardware stops, and runs what has no fault to its end") {
  tilelab::emulator::guard_device_memory();
  for (const Case& each : cases()) {
    INFO(each.name);
    const cudaError_t error = error_of(each);
    if (each.debatable[0] != '\0') continue;
    if (stops_without_watching(each)) {
      CHECK(error != cudaSuccess);
    } else if (!may_stop(each)) {
      CHECK(error == cudaSuccess);
    }
  }
}

TEST_CASE("every case names the lines of its finding, and clean cases name none") {
  std::set<std::string> names;
  for (const Case& each : cases()) {
    INFO(each.name);
    CHECK(names.insert(each.name).second);
    if (each.debatable[0] != '\0') continue;
    const bool has_line = each.expected != Finding::none && each.expected != Finding::leak;
    const bool has_two =
        each.expected == Finding::shared_race || each.expected == Finding::global_race ||
        each.expected == Finding::note_same_value || each.expected == Finding::stream_race ||
        each.expected == Finding::early_read || each.expected == Finding::divergent_barrier;
    CHECK((each.line_a != 0) == has_line);
    CHECK((each.line_b != 0) == has_two);
  }
  REQUIRE(names.size() >= 48);
}

/// Cases without a mistake in which compute-sanitizer reports one: racecheck knows neither fences
/// nor large tiles nor copies that a cluster waits for, synccheck no waits for asynchronous copies.
const std::set<std::string> false_alarms = {"barrier_object_waits_for_copies",
                                            "cluster_reads_what_was_copied",
                                            "flag_between_warps",
                                            "large_tile_waits",
                                            "pipeline_with_stages",
                                            "question_and_answer",
                                            "shared_counter_under_a_lock"};

TEST_CASE("what compute-sanitizer finds on a GPU is expected") {
  std::set<std::string> faulty, known;
  for (const Case& each : cases()) {
    known.insert(each.name);
    if (each.expected != Finding::none) faulty.insert(each.name);
  }
  std::ifstream file(SANITIZER_FILE);
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string name = line.substr(0, line.find(','));
    if (line[0] == '#' || name == "case") continue;
    ++rows;
    INFO(name);
    CHECK(known.count(name) == 1);
    const bool is_silent = line.size() > 4 && line.compare(line.size() - 4, 4, ",0,0") == 0;
    if (!is_silent) CHECK(faulty.count(name) != false_alarms.count(name));
  }
  REQUIRE(rows > 50);
}
