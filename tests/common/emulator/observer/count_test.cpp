// Traffic, compared with numbers that were worked out by hand.

#include <tuple>

#include "count_kernels.h"
#include "emulator/observer/block_sample.h"
#include "emulator/observer/counts/merged_launches.h"
#include "observe.h"

namespace {

/// Checks instructions, lanes' accesses, bytes and sectors at once.
void require_global(const AccessCounts& counts, unsigned instructions, unsigned accesses,
                    unsigned bytes, unsigned sectors) {
  CAPTURE(counts.instructions, counts.thread_accesses, counts.bytes_requested, counts.sectors);
  REQUIRE(counts.instructions == instructions);
  REQUIRE(counts.requests == instructions);
  REQUIRE(counts.thread_accesses == accesses);
  REQUIRE(counts.bytes_requested == bytes);
  REQUIRE(counts.sectors == sectors);
}

void require_shared(const AccessCounts& counts, unsigned requests, unsigned wavefronts,
                    unsigned conflicts) {
  CAPTURE(counts.requests, counts.wavefronts, counts.bank_conflicts());
  REQUIRE(counts.requests == requests);
  REQUIRE(counts.wavefronts == wavefronts);
  REQUIRE(counts.bank_conflicts() == conflicts);
}

/// The same if neighbors are read by one instruction.
void require_merged(const AccessCounts& counts, unsigned requests, unsigned wavefronts,
                    unsigned conflicts) {
  CAPTURE(counts.merged_requests, counts.merged_wavefronts, counts.merged_bank_conflicts());
  REQUIRE(counts.merged_requests == requests);
  REQUIRE(counts.merged_wavefronts == wavefronts);
  REQUIRE(counts.merged_bank_conflicts() == conflicts);
}

/// The first thousand blocks that are among them.
std::vector<std::uint64_t> chosen_of(const tilelab::emulator::BlockSample& sample) {
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t block = 0; block < 1000; ++block) {
    if (sample.contains(block)) chosen.push_back(block);
  }
  return chosen;
}

}  // namespace

TEST_CASE("coalesced accesses: one request and four sectors per warp") {
  Array<float> in(128), out(128);
  const LaunchReport launch = launch_of([&] { copy(in, out, 1, 0, 2, 64); });
  REQUIRE(launch.kernel == "copy_kernel");
  REQUIRE(launch.grid.x == 2);
  REQUIRE(launch.block.x == 64);
  REQUIRE(launch.blocks == 2);
  REQUIRE(launch.observed_blocks == 2);
  require_global(launch.totals.global_loads, 4, 128, 512, 16);
  require_global(launch.totals.global_stores, 4, 128, 512, 16);
  REQUIRE(launch.totals.shared_loads == AccessCounts{});
  REQUIRE(launch.distinct_global_bytes_loaded == 512);
  REQUIRE(launch.distinct_global_bytes_stored == 512);
  REQUIRE(launch.findings.empty());
  require_global(counts_at(launch, "copy").global_loads, 4, 128, 512, 16);
  require_global(counts_at(launch, "copy").global_stores, 4, 128, 512, 16);
}

TEST_CASE("a report of many launches is shortened without losing counts or findings") {
  Array<float> in(128), out(128);
  const auto launch_all = [&] {
    for (int blocks = 1; blocks <= 4; ++blocks) copy(in, out, 1, 0, blocks, 32);
    copy(in, out, 1, 0, 2, 64);
    copy(in, out, 1, 128, 1, 64);  // reads past the end
  };
  Report report = observe(launch_all);
  const std::vector<Finding> found = report.launches.back().findings;
  REQUIRE(found.size() == 1);

  tilelab::emulator::shorten(report);
  REQUIRE(report.launches.size() == 2);
  const auto& [small_blocks, large_blocks] = std::tie(report.launches[0], report.launches[1]);
  REQUIRE(small_blocks.launches == 4);
  REQUIRE(small_blocks.blocks == 10);
  require_global(small_blocks.totals.global_loads, 10, 320, 1280, 40);
  require_global(counts_at(small_blocks, "copy").global_loads, 10, 320, 1280, 40);
  REQUIRE(small_blocks.findings.empty());
  REQUIRE(large_blocks.launches == 2);
  REQUIRE(texts_of(large_blocks.findings) == texts_of(found));
}

TEST_CASE("strided and shifted accesses touch more sectors") {
  Array<float> in(512), out(32);
  const auto loads = [&](int stride, int offset) {
    return launch_of([&] { copy(in, out, stride, offset, 1, 32); }).totals.global_loads;
  };
  require_global(loads(2, 0), 1, 32, 128, 8);
  require_global(loads(8, 0), 1, 32, 128, 32);
  require_global(loads(1, 1), 1, 32, 128, 5);
  require_global(loads(0, 3), 1, 32, 128, 1);
}

TEST_CASE("bytes that no lane asks for are wasted, but for a whole warp no part of a sector") {
  Array<float> in(512), out(32);
  const auto wasted = [&](int stride) {
    return launch_of([&] { copy(in, out, stride, 0, 1, 32); }).totals.global_loads.wasted_bytes;
  };
  REQUIRE(wasted(1) == 0);
  REQUIRE(wasted(8) == 32 * 28);
  REQUIRE(wasted(0) == 0);
  Array<int> numbers(128), one(32);
  const auto launch = launch_of([&] { diverge(numbers, one); });
  REQUIRE(counts_at(launch, "odd").global_loads.wasted_bytes == 64);
  const auto alone = launch_of([&] { shuffle(numbers, one); });
  REQUIRE(counts_at(alone, "shuffle_store").global_stores.wasted_bytes == 28);
  Array<int> counter(1), bins(256);
  const auto atomic = launch_of([&] { count_atomically(counter, bins); });
  REQUIRE(counts_at(atomic, "atomic_same").global_atomics.wasted_bytes == 0);
  REQUIRE(counts_at(atomic, "atomic_apart").global_atomics.wasted_bytes == 32 * 28);
}

TEST_CASE("the same instruction costs what its addresses cost each time") {
  Array<float> in(64), out(32);
  const auto launch = launch_of([&] { shifted(in, out); });
  require_global(counts_at(launch, "shifted").global_loads, 8, 256, 1024, 4 + 7 * 5);
}

TEST_CASE("lanes that want the same word of shared memory do not conflict") {
  Array<float> out(32);
  const auto launch = launch_of([&] { shared_broadcast(out); });
  require_shared(counts_at(launch, "one_word").shared_loads, 1, 1, 0);
  require_shared(counts_at(launch, "pairs_of_lanes").shared_loads, 1, 1, 0);
}

TEST_CASE("lanes that meet at a barrier in different rounds continue together") {
  Array<int> in(128), out(32);
  const auto launch = launch_of([&] { rounds_apart(in, out); });
  require_global(counts_at(launch, "rounds_apart").global_loads, 4, 128, 512, 16);
}

TEST_CASE("a broadcast is one sector, and four bytes of the array") {
  Array<float> in(32), out(32);
  const LaunchReport launch = launch_of([&] { broadcast(in, out); });
  require_global(launch.totals.global_loads, 1, 32, 128, 1);
  REQUIRE(launch.distinct_global_bytes_loaded == 4);
}

TEST_CASE("vectors move in one access of their width, triples in three") {
  Array<float4> in(32), out(32);
  const auto float2s = launch_of(
      [&] { copy_float2(reinterpret_cast<float2*>(&in[0]), reinterpret_cast<float2*>(&out[0])); });
  require_global(float2s.totals.global_loads, 1, 32, 256, 8);
  require_global(float2s.totals.global_stores, 1, 32, 256, 8);
  const auto float4s = launch_of([&] { copy_float4(in, out); });
  require_global(float4s.totals.global_loads, 1, 32, 512, 16);
  require_global(float4s.totals.global_stores, 1, 32, 512, 16);
  const auto double2s = launch_of([&] {
    copy_double2(reinterpret_cast<double2*>(&in[0]), reinterpret_cast<double2*>(&out[0]));
  });
  require_global(double2s.totals.global_loads, 1, 32, 512, 16);
  const auto triples = launch_of(
      [&] { copy_float3(reinterpret_cast<float3*>(&in[0]), reinterpret_cast<float3*>(&out[0])); });
  // 32 addresses, 12 bytes apart, from 0, 4 and 8: each touches all 12 sectors.
  require_global(triples.totals.global_loads, 3, 96, 384, 36);
  require_global(triples.totals.global_stores, 3, 96, 384, 36);
  require_global(counts_at(triples, "copy_triples").global_loads, 3, 96, 384, 36);
}

TEST_CASE("structures are seen, member by member where their alignment asks for it") {
  Array<float4> in(64), out(64);
  const auto bodies = launch_of([&] { copy_structs(in, out); });
  REQUIRE(bodies.totals.global_loads.bytes_requested == 32 * 20);
  REQUIRE(bodies.totals.global_loads.instructions == 2);
  REQUIRE(bodies.totals.global_stores.bytes_requested == 32 * 20);
  const auto plain = launch_of([&] { copy_plain_structs(in, out); });
  REQUIRE(plain.totals.global_loads.bytes_requested == 32 * 20);
  REQUIRE(plain.totals.global_loads.instructions == 5);
  REQUIRE(plain.totals.global_stores.instructions == 5);
}

TEST_CASE("a[i] += x is one load and one store") {
  Array<float> a(32);
  const auto launch = launch_of([&] { add(a); });
  require_global(launch.totals.global_loads, 1, 32, 128, 4);
  require_global(launch.totals.global_stores, 1, 32, 128, 4);
}

TEST_CASE("constant memory is counted separately") {
  Array<float> a(32);
  const auto launch = launch_of([&] { use_table(a); });
  REQUIRE(launch.totals.constant_loads.requests == 1);
  REQUIRE(launch.totals.constant_loads.thread_accesses == 32);
  REQUIRE(launch.totals.constant_loads.wavefronts == 1);
  REQUIRE(launch.totals.constant_words == AccessCounts{});
  REQUIRE(launch.totals.global_loads == AccessCounts{});
  REQUIRE(launch.findings.empty());
}

TEST_CASE("one word of constant memory is broadcast to all lanes, others are loaded for them") {
  Array<float> a(32);
  const auto launch = launch_of([&] { look_up(a); });
  REQUIRE(launch.totals.constant_loads.bytes_requested == 128);
  REQUIRE(launch.totals.constant_words.thread_accesses == 3);
  REQUIRE(launch.totals.constant_words.bytes_requested == 12);
}

TEST_CASE("increments of one word in shared memory take one turn, other atomics one per lane") {
  Array<unsigned> out(32);
  const auto launch = launch_of([&] { add_in_shared(out); });
  REQUIRE(launch.findings.empty());
  require_shared(counts_at(launch, "increment_same").shared_atomics, 1, 1, 0);
  require_shared(counts_at(launch, "increment_two").shared_atomics, 1, 2, 1);
  require_shared(counts_at(launch, "increment_by_name").shared_atomics, 1, 1, 0);
  require_shared(counts_at(launch, "add_unknown").shared_atomics, 1, 32, 31);
  require_shared(counts_at(launch, "add_same").shared_atomics, 1, 32, 31);
  require_shared(counts_at(launch, "count").shared_atomics, 1, 16, 15);
}

TEST_CASE("atomics are counted separately") {
  Array<int> counter(1), bins(256);
  const auto launch = launch_of([&] { count_atomically(counter, bins); });
  REQUIRE(counter.values()[0] == 32);
  // The lanes take turns at one word.
  require_global(counts_at(launch, "atomic_same").global_atomics, 1, 32, 128, 32);
  require_global(counts_at(launch, "atomic_apart").global_atomics, 1, 32, 128, 32);
  REQUIRE(launch.totals.global_loads == AccessCounts{});
  REQUIRE(launch.totals.global_stores == AccessCounts{});
  REQUIRE(launch.findings.empty());
}

TEST_CASE("an atomic operation reads unless nobody wants the old value") {
  Array<int> counter(1), bins(256);
  const auto launch = launch_of([&] { count_atomically(counter, bins); });
  REQUIRE(counts_at(launch, "atomic_same").atomic_reads == AccessCounts{});
  REQUIRE(counts_at(launch, "atomic_apart").atomic_reads == launch.totals.atomic_reads);
  REQUIRE(launch.totals.atomic_reads.bytes_requested == 128);
  const auto update = launch_of([&] { update_atomically(counter, bins); });
  REQUIRE(counts_at(update, "atomic_update").global_atomics.bytes_requested == 128);
  REQUIRE(counts_at(update, "atomic_update").atomic_reads == AccessCounts{});
  REQUIRE(counts_at(update, "atomic_exchange").atomic_reads == AccessCounts{});
  REQUIRE(counts_at(update, "atomic_old").atomic_reads.bytes_requested == 128);
}

TEST_CASE("a transposed tile conflicts in its banks unless it is padded") {
  Array<float> in(1024), out(1024);
  const auto plain = launch_of([&] { transpose(in, out, false); });
  require_shared(plain.totals.shared_stores, 32, 32, 0);
  require_shared(plain.totals.shared_loads, 32, 1024, 992);
  require_shared(counts_at(plain, "transpose_out").shared_loads, 32, 1024, 992);
  REQUIRE(plain.static_shared_bytes == 32 * 32 * 4);
  const auto padded = launch_of([&] { transpose(in, out, true); });
  require_shared(padded.totals.shared_stores, 32, 32, 0);
  require_shared(padded.totals.shared_loads, 32, 32, 0);
  REQUIRE(padded.findings.empty());
}

TEST_CASE("wide shared accesses are served in halves and quarters of a warp") {
  Array<float4> out(32);
  const auto pairs = launch_of([&] { shared_float2(reinterpret_cast<float2*>(&out[0]), 1); });
  require_shared(pairs.totals.shared_loads, 1, 2, 0);
  const auto apart = launch_of([&] { shared_float2(reinterpret_cast<float2*>(&out[0]), 2); });
  require_shared(apart.totals.shared_loads, 1, 4, 2);
  const auto quads = launch_of([&] { shared_float4(out, 1); });
  require_shared(quads.totals.shared_loads, 1, 4, 0);
}

TEST_CASE("quarters of a warp are served together if all lanes agree, one or two apart, in pairs") {
  Array<float4> out(32);
  const auto loads = [&](int bit) {
    return launch_of([&] { shared_pairs(out, bit); }).totals.shared_loads;
  };
  require_shared(loads(0), 1, 2, 0);
  require_shared(loads(1), 1, 2, 0);
  require_shared(loads(2), 1, 4, 0);
  require_shared(loads(5), 1, 4, 0);  // no two lanes agree
  const auto unlike = launch_of([&] { shared_unlike_pairs(out); });
  require_shared(unlike.totals.shared_loads, 1, 4, 0);
}

TEST_CASE("the two sides of a branch are two requests, and one after it") {
  Array<int> in(128), out(32);
  const auto launch = launch_of([&] { diverge(in, out); });
  require_global(counts_at(launch, "before_branch").global_loads, 1, 32, 128, 4);
  require_global(counts_at(launch, "even").global_loads, 1, 16, 64, 4);
  require_global(counts_at(launch, "odd").global_loads, 1, 16, 64, 4);
  require_global(counts_at(launch, "after_branch").global_loads, 1, 32, 128, 4);
  require_global(counts_at(launch, "after_branch").global_stores, 1, 32, 128, 4);
}

TEST_CASE("a loop with as many trips as the lane's number: lanes leave, and meet after it") {
  Array<int> in(1024), out(32);
  const auto launch = launch_of([&] { lane_trips(in, out); });
  // Trip k is run by lanes k + 1 .. 31: 31 requests. Their words lie in one row of 128 bytes.
  unsigned sectors = 0;
  for (unsigned k = 0; k < 31; ++k) sectors += (31 - (k + 1) / 8 * 8) / 8 + 1;
  require_global(counts_at(launch, "lane_trips").global_loads, 31, 496, 496 * 4, sectors);
  require_global(counts_at(launch, "after_lane_trips").global_stores, 1, 32, 128, 4);
}

TEST_CASE("rounds that are empty for some lanes do not mix with the rounds of others") {
  Array<int> in(512), out(32);
  const auto launch = launch_of([&] { empty_rounds(in, out); });
  // 16 inner trips; in rounds 0, 1, 2 only a quarter, a half, three quarters of the lanes, in all
  // sectors. Mixed rounds would touch more sectors.
  require_global(counts_at(launch, "inner").global_loads, 16, 2 * (8 + 16 + 24 + 5 * 32),
                 8 * (8 + 16 + 24 + 5 * 32), 16 * 4);
  require_global(counts_at(launch, "after_rounds").global_stores, 1, 32, 128, 4);
}

TEST_CASE("lanes that continue a loop early still run the next round with the others") {
  Array<int> in(256), out(32);
  const auto launch = launch_of([&] { skip_some(in, out); });
  require_global(counts_at(launch, "not_skipped").global_loads, 8, 128, 512, 32);
}

TEST_CASE("lanes that return early are missing from the requests after it") {
  Array<int> in(128), out(128);
  const auto launch = launch_of([&] { early_return(in, out, 70); });
  require_global(launch.totals.global_loads, 3, 70, 280, 9);
  require_global(launch.totals.global_stores, 3, 70, 280, 9);
}

TEST_CASE("a block's reduction has 255 steps of two loads and a store") {
  Array<int> in(512), out(2);
  const auto launch = launch_of([&] { reduce(in, out, 2); });
  REQUIRE(launch.totals.shared_loads.thread_accesses == 2 * (2 * 255 + 1));
  REQUIRE(launch.totals.shared_stores.thread_accesses == 2 * (256 + 255));
  // Warps that take part: 4, 2, 1, and 1 for each of the five last steps.
  REQUIRE(launch.totals.shared_loads.requests == 2 * (2 * 12 + 1));
  REQUIRE(launch.totals.shared_loads.bank_conflicts() == 0);
  REQUIRE(launch.findings.empty());
}

TEST_CASE("lanes meet at warp operations") {
  Array<int> in(128), out(1);
  const auto launch = launch_of([&] { shuffle(in, out); });
  INFO(texts_of(launch.findings));
  require_global(counts_at(launch, "shuffle_load").global_loads, 1, 32, 128, 4);
  require_global(counts_at(launch, "shuffle_again").global_loads, 1, 32, 128, 4);
  REQUIRE(counts_at(launch, "shuffle_store").global_stores.thread_accesses == 1);
}

TEST_CASE("full logs are emptied without mixing anything up") {
  constexpr int n = 10000;
  Array<int> in(n + 64), out(64);
  const auto launch = launch_of([&] { run_long(in, out, n); });
  require_global(counts_at(launch, "long_uniform").global_loads, 2 * n, 64 * n, 256 * n, 2 * n);
  const AccessCounts third = counts_at(launch, "long_third").global_loads;
  REQUIRE(third.requests == 2 * n);
  REQUIRE(third.thread_accesses == 22 * n);
  REQUIRE(launch.findings.empty());
}

TEST_CASE("an atomic operation is one where a log is full") {
  constexpr int n = 20000, sum_of_ranks = 63 * 64 / 2;
  Array<int> sums(n);
  launch_of([&] { run_long_atomic(sums, n, 0); });
  REQUIRE(sums.values() == std::vector<int>(n, sum_of_ranks));
  launch_of([&] { run_long_atomic(sums, n, 20); });
  REQUIRE(sums.values() == std::vector<int>(n, 2 * sum_of_ranks));
}

TEST_CASE("dynamic shared memory is shared memory") {
  Array<float> out(64);
  const auto launch = launch_of([&] { use_dynamic(out); });
  REQUIRE(launch.dynamic_shared_bytes == 256);
  require_shared(counts_at(launch, "dynamic_store").shared_stores, 2, 2, 0);
  require_shared(counts_at(launch, "dynamic_load").shared_loads, 2, 4, 2);
}

TEST_CASE("accesses in inlined functions belong to the function's line") {
  Array<int> in(64), out(32);
  const auto launch = launch_of([&] { call_function(in, out); });
  require_global(counts_at(launch, "inlined").global_loads, 2, 64, 256, 8);
  require_global(counts_at(launch, "call").global_stores, 1, 32, 128, 4);
}

TEST_CASE("a thread's own arrays are local memory") {
  Array<int> in(32), out(32);
  const auto launch = launch_of([&] { use_local(in, out); });
  REQUIRE(launch.totals.global_loads.thread_accesses == 32 * 9);
  REQUIRE(launch.findings.empty());
}

TEST_CASE("counts do not depend on the order of blocks and threads") {
  Array<int> in(2048), out(64), sums(8);
  const auto run = [&] {
    Report report = observe([&] {
      lane_trips(in, out);
      empty_rounds(in, out);
      reduce(in, sums, 8);
      shuffle(in, out);
      run_long(in, out, 1500);
    });
    std::vector<MemoryCounts> totals;
    for (const LaunchReport& launch : report.launches) totals.push_back(launch.totals);
    return totals;
  };
  const auto in_order = run();
  tilelab::emulator::set_order(Order::descending, 0);
  const auto reverse = run();
  tilelab::emulator::set_order(Order::random, 7);
  const auto random = run();
  tilelab::emulator::set_order(Order::ascending, 0);
  REQUIRE(in_order == reverse);
  REQUIRE(in_order == random);
}

TEST_CASE("a sample of blocks has the first, the last two and neighbors") {
  tilelab::emulator::BlockSample sample;
  sample.choose(1000, 7, 1);
  const std::vector<std::uint64_t> chosen = chosen_of(sample);
  REQUIRE(chosen.size() == 7);
  REQUIRE(chosen.front() == 0);
  REQUIRE(chosen[1] + 1 == chosen[2]);
  REQUIRE(chosen[3] + 1 == chosen[4]);
  REQUIRE(chosen[5] == 998);
  REQUIRE(chosen[6] == 999);
}

TEST_CASE("a sample of blocks for counts has the first and neighbors, and not the last") {
  tilelab::emulator::BlockSample sample;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    sample.choose_for_counts(10, 7, seed);
    const std::vector<std::uint64_t> chosen = chosen_of(sample);
    REQUIRE(chosen.size() == 7);
    REQUIRE(chosen.front() == 0);
    REQUIRE(chosen.back() < 9);
  }
  sample.choose_for_counts(1000, 3, 1);
  REQUIRE(chosen_of(sample)[1] + 1 == chosen_of(sample)[2]);
  sample.choose_for_counts(8, 6, 1);
  REQUIRE(chosen_of(sample).size() == 1000);  // all, however many there are
}

TEST_CASE("a sample of blocks is a few of all") {
  Array<int> in(256 * 20), out(20);
  ObserverOptions options;
  options.block_limit = 4;
  for (const Detail detail : {Detail::counts, Detail::everything}) {
    options.detail = detail;
    const auto launch = launch_of([&] { reduce(in, out, 20); }, options);
    REQUIRE(launch.blocks == 20);
    REQUIRE(launch.observed_blocks == 4);
    REQUIRE(launch.totals.global_loads.requests == 4 * 8);
    REQUIRE(launch.findings.empty());
  }
}

TEST_CASE("a block that loads far more than those of the sample is noticed") {
  constexpr int blocks = 20;
  Array<int> in(32 * blocks), out(32 * blocks);
  ObserverOptions options;
  options.detail = Detail::counts;
  options.block_limit = 4;
  int traced = 0;
  for (int heavy = 0; heavy < blocks; ++heavy) {
    const auto launch =
        launch_of([&] { launch_unlike(in, out, blocks, heavy, Unlike::loads); }, options);
    const bool is_traced = launch.totals.global_loads.requests == 4 + 7;
    traced += is_traced;
    REQUIRE(launch.has_heavier_blocks != is_traced);
  }
  REQUIRE(traced == 4);
}

TEST_CASE("a block that does what the sample does not is traced when the call is repeated") {
  constexpr int blocks = 20;
  Array<int> in(32 * blocks), out(32 * blocks);
  ObserverOptions options;
  options.block_limit = 4;
  for (const Unlike unlike : {Unlike::stores, Unlike::barriers, Unlike::words}) {
    int found = 0;
    for (int block = 0; block < blocks; ++block) {
      options.seed = block + 1;
      const auto run = [&] { launch_unlike(in, out, blocks, block, unlike); };
      const auto first = launch_of(run, options), second = launch_of(run, options);
      found += !first.findings.empty();
      REQUIRE(first.unlike_blocks == first.findings.empty());
      REQUIRE(second.unlike_blocks == 0);
      REQUIRE(second.findings.size() == 1);
    }
    REQUIRE(found < blocks / 2);
  }
}

TEST_CASE("an asynchronous copy counts as loads and stores of 16 bytes per thread") {
  Array<int> in(256), out(64);
  const LaunchReport launch = launch_of([&] { copy_async(in, out); });
  REQUIRE(launch.findings.empty());
  require_global(counts_at(launch, "copy_async").global_loads, 2, 64, 1024, 32);
  require_shared(counts_at(launch, "copy_async").shared_stores, 2, 8, 0);
  require_shared(launch.totals.shared_stores, 2, 8, 0);
  require_shared(launch.totals.shared_loads, 2, 2, 0);
  REQUIRE(launch.totals.shared_copies == launch.totals.shared_stores);
}

TEST_CASE("an asynchronous copy loads no more than it brings") {
  Array<int> in(256), out(64);
  const LaunchReport launch = launch_of([&] { copy_async(in, out); });
  REQUIRE(launch.totals.global_copies == launch.totals.global_loads);
  const LaunchReport part = launch_of([&] { copy_part(in, out); });
  REQUIRE(part.findings.empty());
  REQUIRE(part.totals.shared_copies.bytes_requested == 2 * 32 * 16);
  REQUIRE(part.totals.global_copies.bytes_requested == 32 * 4);
  REQUIRE(part.totals.global_loads.bytes_requested == 32 * 4 + 32 * 4);
}

TEST_CASE("a bulk copy that begins within a sector moves all of it") {
  Array<int> in(256), out(64);
  const LaunchReport launch = launch_of([&] { copy_bulk_piece(in, out); });
  REQUIRE(launch.totals.global_loads.bytes_requested == 64);
  REQUIRE(launch.totals.global_loads.sectors == 3);
  REQUIRE(launch.totals.global_loads.wasted_bytes == 32);
}

TEST_CASE("a bulk copy of half a sector moves all of it, whatever the next one copies") {
  Array<int> in(256), out(32);
  const LaunchReport launch = launch_of([&] { copy_bulk_pieces(in, out); });
  REQUIRE(launch.findings.empty());
  REQUIRE(launch.totals.global_loads.bytes_requested == 1024);
  REQUIRE(launch.totals.global_loads.sectors == 64);
  REQUIRE(launch.totals.global_loads.wasted_bytes == 1024);
}

TEST_CASE("the runtime's copies and fills move whole sectors for each row") {
  Array<float> a(1024), b(1024);
  const auto moved = [](const AccessCounts& counts, unsigned bytes, unsigned sectors) {
    REQUIRE(counts.bytes_requested == bytes);
    REQUIRE(counts.sectors == sectors);
    REQUIRE(counts.wasted_bytes == 32 * sectors - bytes);
  };
  SECTION("a copy") {
    const Report report = observe([&] { cudaMemcpy(a, b + 4, 128, cudaMemcpyDeviceToDevice); });
    moved(report.engine_loads, 128, 5);
    moved(report.engine_stores, 128, 4);
    REQUIRE_FALSE(report.constants_hold_copies);
  }
  SECTION("a column") {
    const Report report =
        observe([&] { cudaMemcpy2D(a, 4, b, 128, 4, 32, cudaMemcpyDeviceToDevice); });
    moved(report.engine_loads, 128, 32);
    moved(report.engine_stores, 128, 32);
  }
  SECTION("a fill") {
    const Report report = observe([&] { cudaMemsetAsync(a, 0, 100); });
    moved(report.engine_loads, 0, 0);
    moved(report.engine_stores, 100, 4);
  }
}

TEST_CASE("constants that come from a table of the host are no device memory") {
  const Report from_host = observe(fill_table_from_host);
  REQUIRE_FALSE(from_host.constants_hold_copies);
  REQUIRE(from_host.engine_loads.requests == 0);
  const Report from_device = observe(fill_table_from_device);
  REQUIRE(from_device.constants_hold_copies);
  REQUIRE(from_device.engine_loads.bytes_requested == 16);
}

TEST_CASE("a bulk copy is one instruction, which moves whole sectors and rows of banks") {
  Array<int> in(256), out(64);
  const LaunchReport launch = launch_of([&] { copy_bulk(in, out); });
  REQUIRE(launch.findings.empty());
  const AccessCounts loads = counts_at(launch, "copy_bulk").global_loads;
  REQUIRE(loads.instructions == 2);
  REQUIRE(loads.bytes_requested == 1024);
  REQUIRE(loads.sectors == 32);
  require_shared(launch.totals.shared_copies, 2, 8, 0);
  require_merged(launch.totals.shared_copies, 2, 8, 0);
}

TEST_CASE("what threads store themselves is no asynchronous copy") {
  Array<float> out(32);
  const auto launch = launch_of([&] { read_neighbors(out, 1, 1, 0); });
  REQUIRE(launch.totals.shared_stores.requests > 0);
  REQUIRE(launch.totals.shared_copies == AccessCounts{});
}

TEST_CASE("neighbors that one instruction can read are counted both ways") {
  Array<float> out(32);
  const auto loads = [&](int pitch, int words, int turn) {
    const auto launch = launch_of([&] { read_neighbors(out, pitch, words, turn); });
    return counts_at(launch, "neighbors").shared_loads;
  };
  SECTION("four neighbors per lane conflict only as single words") {
    require_shared(loads(4, 4, 4), 4, 16, 12);
    require_merged(loads(4, 4, 4), 1, 4, 0);
  }
  SECTION("whole rows conflict both ways") {
    require_shared(loads(32, 4, 4), 4, 128, 124);
    require_merged(loads(32, 4, 4), 1, 32, 28);
  }
  SECTION("lanes that begin at different places cannot use one instruction") {
    require_shared(loads(33, 4, 4), 4, 4, 0);
    require_merged(loads(33, 4, 4), 4, 4, 0);
  }
  SECTION("six words are an instruction of 16 bytes and one of 8") {
    require_shared(loads(0, 6, 6), 6, 6, 0);
    require_merged(loads(0, 6, 6), 2, 3, 0);
  }
  SECTION("a barrier lies between") {
    require_merged(loads(4, 4, 2), 2, 8, 4);
    require_merged(loads(4, 4, 3), 3, 12, 8);
  }
  SECTION("members of a structure, and elements of two arrays in turn") {
    const auto points = launch_of([&] { read_points(out); });
    require_shared(counts_at(points, "points").shared_loads, 12, 12, 0);
    require_merged(counts_at(points, "points").shared_loads, 3, 6, 0);
    const auto in_turn = launch_of([&] { read_in_turn(out); });
    require_shared(counts_at(in_turn, "in_turn").shared_loads, 8, 20, 12);
    require_merged(counts_at(in_turn, "in_turn").shared_loads, 5, 8, 0);
  }
  SECTION("single words are as they are") {
    const auto launch = launch_of([&] { shared_broadcast(out); });
    const AccessCounts& counts = launch.totals.shared_loads;
    REQUIRE(counts.merged_requests == counts.requests);
    REQUIRE(counts.merged_wavefronts == counts.wavefronts);
  }
}
