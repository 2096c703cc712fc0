// Traces, compared with what kernels of a few threads do.

#include <numeric>
#include <sstream>

#include "emulator/observer/trace/tracer.h"
#include "observe.h"
#include "trace_kernels.h"

using tilelab::report::AccessKind;
using tilelab::report::CopyStep;
using tilelab::report::LaneAccess;
using tilelab::report::MemorySpace;
using tilelab::report::Trace;
using tilelab::report::TraceStep;

namespace {

LaunchReport trace_of(const std::function<void()>& run) {
  ObserverOptions options;
  options.detail = Detail::trace;
  return launch_of(run, options);
}

const char* name_of(const TraceStep& step) {
  if (step.is_barrier) return "barrier";
  switch (step.copy) {
    case CopyStep::none:
      break;
    case CopyStep::start:
      return "copy";
    case CopyStep::bulk:
      return "bulk";
    case CopyStep::commit:
      return "commit";
    case CopyStep::wait:
      return "wait";
  }
  return step.kind == AccessKind::load    ? "load"
         : step.kind == AccessKind::store ? "store"
                                          : "atomic";
}

/// "b1 load @left_outside 0:in[3]"
std::string text_of(const Trace& trace, const TraceStep& step,
                    const std::vector<std::string>& tags) {
  std::ostringstream text;
  text << 'b' << step.block << ' ' << name_of(step);
  for (const std::string& tag : tags) {
    if (line_of(tag) == trace.places.at(step.place).line) text << " @" << tag;
  }
  for (const LaneAccess& access : step.lanes) {
    text << ' ' << access.lane << ':' << trace.arrays.at(access.array).name << '['
         << access.offset / step.bytes << ']';
    if (access.has_value) text << '=' << static_cast<int>(access.value[0]);
  }
  return text.str();
}

}  // namespace

TEST_CASE("a trace has each access of each lane, with what it stores") {
  Array<int> in(6), out(6, false);
  in.named("in");
  out.named("out");
  const int values[6] = {5, 7, 4, 9, 20, 21};
  REQUIRE(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice) == cudaSuccess);
  const LaunchReport launch = trace_of([&] { difference(in, out, 6); });
  std::vector<std::string> steps;
  for (const TraceStep& step : launch.trace.steps) {
    steps.push_back(text_of(launch.trace, step,
                            {"fill", "wait", "left_in_tile", "left_outside", "store_difference"}));
  }
  const std::vector<std::string> expected = {
      "b0 load @fill 0:in[0] 1:in[1] 2:in[2] 3:in[3]",
      "b0 store @fill 0:tile[0]=5 1:tile[1]=7 2:tile[2]=4 3:tile[3]=9",
      "b0 barrier @wait",
      "b0 load @left_in_tile 1:tile[0] 2:tile[1] 3:tile[2]",
      "b0 load @store_difference 0:tile[0] 1:tile[1] 2:tile[2] 3:tile[3]",
      "b0 store @store_difference 0:out[0]=5 1:out[1]=2 2:out[2]=-3 3:out[3]=5",
      "b1 load @fill 0:in[4] 1:in[5]",
      "b1 store @fill 0:tile[0]=20 1:tile[1]=21",
      "b1 barrier @wait",
      "b1 load @left_in_tile 1:tile[0]",
      "b1 load @left_outside 0:in[3]",
      "b1 load @store_difference 0:tile[0] 1:tile[1]",
      "b1 store @store_difference 0:out[4]=11 1:out[5]=1"};
  // The two sides of a branch may come in either order.
  std::vector<std::string> swapped = expected;
  std::swap(swapped[9], swapped[10]);
  INFO(std::accumulate(steps.begin(), steps.end(), std::string(),
                       [](const auto& all, const auto& one) { return all + one + "\n"; }));
  CHECK((steps == expected || steps == swapped));
}

TEST_CASE("a trace knows the arrays that it speaks of") {
  Array<int> in(6), out(6, false);
  in.named("in");
  out.named("out");
  const Trace trace = trace_of([&] { difference(in, out, 6); }).trace;
  REQUIRE(trace.arrays.size() == 3);
  CHECK(trace.arrays[0].name == "in");
  CHECK(trace.arrays[0].space == MemorySpace::global);
  CHECK(trace.arrays[0].bytes == 6 * sizeof(int));
  CHECK(trace.arrays[0].begin == 0);
  CHECK(trace.arrays[1].name == "tile");
  CHECK(trace.arrays[1].space == MemorySpace::shared);
  CHECK(trace.arrays[1].bytes == 4 * sizeof(int));
}

TEST_CASE("a trace has the cost of each request") {
  Array<float> out(32);
  const Trace trace = trace_of([&] { column(out); }).trace;
  REQUIRE(trace.steps.size() == 4);  // a store, the barrier, a load, a store
  CHECK(trace.steps[0].wavefronts == 32);
  CHECK(trace.steps[0].ideal_wavefronts == 1);
  CHECK(trace.steps[0].sectors == 0);
  CHECK(trace.steps[3].sectors == 4);
  CHECK(trace.steps[3].wavefronts == 0);
}

TEST_CASE("an atomic operation leaves a value of its own for each lane") {
  Array<int> counter(1);
  counter.named("counter");
  const Trace trace = trace_of([&] { count_up(counter); }).trace;
  REQUIRE(trace.steps.size() == 1);
  CHECK(text_of(trace, trace.steps[0], {"count_up"}) ==
        "b0 atomic @count_up 0:counter[0]=2 1:counter[0]=4");
}

/// "copy @copy_first 0:0 1:1": a step in the life of copies, with the batch of each lane.
std::string batches_of(const Trace& trace, const TraceStep& step,
                       const std::vector<std::string>& tags) {
  std::ostringstream text;
  text << name_of(step);
  for (const std::string& tag : tags) {
    if (line_of(tag) == trace.places.at(step.place).line) text << " @" << tag;
  }
  if (step.copy == CopyStep::none) return text.str();
  for (const LaneAccess& lane : step.lanes) text << ' ' << lane.lane << ':' << lane.batch;
  return text.str();
}

TEST_CASE("copies have steps where they start, are committed and have been waited for") {
  Array<int> in(4), out(2, false);
  in.named("in");
  const int values[4] = {5, 7, 4, 9};
  REQUIRE(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice) == cudaSuccess);
  const Trace trace = trace_of([&] { copy_ahead(in, out); }).trace;
  std::vector<std::string> steps;
  for (const TraceStep& step : trace.steps) {
    steps.push_back(batches_of(trace, step,
                               {"copy_first", "commit_first", "copy_second", "commit_second",
                                "wait_first", "use_first", "wait_second", "store_own"}));
  }
  CHECK(steps == std::vector<std::string>{"copy @copy_first 0:0 1:1",
                                          "commit @commit_first 0:0 1:1", "copy @copy_second 0:2",
                                          "commit @commit_second 0:2 1:3",
                                          "wait @wait_first 0:0 1:1", "load @use_first",
                                          "wait @wait_second 0:2 1:3", "store @store_own"});
}

TEST_CASE("a copy's step has both of its places, what it will store, and its cost") {
  Array<int> in(4), out(2, false);
  in.named("in");
  const int values[4] = {5, 7, 4, 9};
  REQUIRE(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice) == cudaSuccess);
  const Trace trace = trace_of([&] { copy_ahead(in, out); }).trace;
  REQUIRE(trace.steps.size() == 8);
  const TraceStep& first = trace.steps[0];
  CHECK(first.sectors == 1);
  CHECK(first.wavefronts == 1);
  CHECK(trace.arrays.at(first.lanes.at(1).array).name == "tile");
  CHECK(first.lanes[1].offset == 4);
  CHECK(first.lanes[1].value[0] == 7);
  CHECK(first.lanes[1].has_source);
  CHECK(trace.arrays.at(first.lanes[1].from_array).name == "in");
  CHECK(first.lanes[1].from_offset == 4);
  CHECK(trace.steps[2].lanes.at(0).offset == 8);
}

TEST_CASE("a bulk copy is one step, however many chunks it has") {
  Array<int> in(20), out(2, false);
  std::vector<int> values(20);
  std::iota(values.begin(), values.end(), 30);
  REQUIRE(cudaMemcpy(in, values.data(), 80, cudaMemcpyHostToDevice) == cudaSuccess);
  const Trace trace = trace_of([&] { copy_in_bulk(in, out); }).trace;
  std::vector<std::string> steps;
  for (const TraceStep& step : trace.steps) {
    steps.push_back(batches_of(trace, step, {"bulk", "arrive", "wait_bulk"}));
  }
  REQUIRE(steps.size() == 6);
  CHECK(steps[0] == "bulk @bulk 0:0 0:0 0:0 0:0 0:0");
  CHECK(steps[1] == "commit @arrive 0:0");
  CHECK(steps[2] == "barrier");
  CHECK(steps[3] == "wait @wait_bulk 0:0 1:0");
  const TraceStep& bulk = trace.steps[0];
  CHECK(bulk.sectors == 3);  // 80 bytes from the begin of a sector
  CHECK(bulk.lanes.back().offset == 64);
  CHECK(bulk.lanes.back().value[0] >> 32 == 47);
}

TEST_CASE("a trace that gets too long ends, and says so") {
  Array<int> out(32);
  constexpr auto most = tilelab::emulator::Tracer::most_accesses;
  const Trace trace = trace_of([&] { many_accesses(out, most / 32 + 10); }).trace;
  CHECK(trace.ends_early);
  CHECK(trace.steps.size() == most / 32);
  const Trace next = trace_of([&] { many_accesses(out, 10); }).trace;
  CHECK_FALSE(next.ends_early);
  CHECK(next.blocks_every == 1);
}

TEST_CASE("a trace that gets too long keeps whole blocks, as long as one fits") {
  Array<int> out(32);
  constexpr auto most = tilelab::emulator::Tracer::most_accesses;
  constexpr int rounds = most / 32 / 3;
  const Trace trace = trace_of([&] { accesses_of(out, rounds, 4, 1); }).trace;
  CHECK_FALSE(trace.ends_early);
  CHECK(trace.blocks_every == 2);
  CHECK(trace.warps_every == 1);
  REQUIRE(trace.steps.size() == 2 * rounds);
  CHECK(trace.steps.front().block == 0);
  CHECK(trace.steps.back().block == 2);
}

TEST_CASE("a trace of a block that is too large keeps whole warps of it") {
  Array<int> out(32);
  constexpr auto most = tilelab::emulator::Tracer::most_accesses;
  constexpr int rounds = most / 32 / 3;
  const Trace trace = trace_of([&] { accesses_of(out, rounds, 1, 4); }).trace;
  CHECK_FALSE(trace.ends_early);
  CHECK(trace.warps_every == 2);
  REQUIRE(trace.steps.size() == 2 * rounds);
  CHECK(trace.steps.front().warp == 0);
  CHECK(trace.steps.back().warp == 2);
  CHECK(trace.steps.back().lanes.at(31).value[0] == rounds - 1);
}

TEST_CASE("without Detail::trace there is no trace") {
  Array<int> in(6), out(6, false);
  CHECK(launch_of([&] { difference(in, out, 6); }).trace.steps.empty());
}
