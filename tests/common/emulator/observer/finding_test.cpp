// Whatever kernels do wrong is found on the right lines, and nothing else.

#include "emulator/observer/observer.h"
#include "finding_kernels.h"
#include "observe.h"
#include "report/texts.h"

namespace {

using tilelab::report::text_of;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void require_clean(const std::function<void()>& run) {
  const Report report = observe(run);
  INFO(texts_of(report.findings));
  REQUIRE(report.findings.empty());
  REQUIRE(!report.launches.empty());
  for (const LaunchReport& launch : report.launches) {
    INFO(texts_of(launch.findings));
    REQUIRE(launch.findings.empty());
  }
}

/// The same findings in every order.
template <class Function>
void in_every_order(Function function) {
  for (const Order order : {Order::ascending, Order::descending, Order::random}) {
    INFO("order " << static_cast<int>(order));
    tilelab::emulator::set_order(order, 3);
    function();
  }
  tilelab::emulator::set_order(Order::ascending, 0);
}

}  // namespace

TEST_CASE("a missing barrier is a data race between the store and the load") {
  Array<int> in(64), out(128);
  in_every_order([&] {
    const auto launch = launch_of([&] { missing_barrier(in, out); });
    INFO(texts_of(launch.findings));
    REQUIRE(launch.findings.size() == 2);  // some loads come before any store
    REQUIRE(of_kind(launch, FindingKind::uninitialized_read).size() == 1);
    const auto races = of_kind(launch, FindingKind::data_race);
    REQUIRE(races.size() == 1);
    REQUIRE(races[0].first.block.x == 0);
    REQUIRE(races[0].first.thread.x != races[0].second.thread.x);
    REQUIRE(races[0].count > 1);
    REQUIRE(races[0].memory.space == tilelab::report::MemorySpace::shared);
    REQUIRE(races[0].memory.name == "tile");
    const unsigned store = line_of("shift_store");
    const unsigned load = line_of("shift_load");
    REQUIRE(races[0].first.place.line + races[0].second.place.line == store + load);
  });
}

TEST_CASE("so is one between the load and the next round's store") {
  Array<int> in(64), out(128);
  in_every_order([&] {
    require_only(launch_of([&] { missing_second_barrier(in, out); }), FindingKind::data_race,
                 "shift_load", "shift_store");
  });
}

TEST_CASE("with both barriers there is nothing to find") {
  Array<int> in(64), out(128);
  in_every_order([&] {
    const auto launch = launch_of([&] { barrier_kept(in, out); });
    // The blocks write the same to `out`, which is only worth a note.
    for (const Finding& finding : launch.findings) REQUIRE(finding.is_note());
  });
}

TEST_CASE("different values in one place are a data race, the same value is a note") {
  Array<int> out(1);
  in_every_order([&] {
    require_only(launch_of([&] { same_slot(out); }), FindingKind::data_race, "same_slot",
                 "same_slot");
    require_only(launch_of([&] { same_flag(out); }), FindingKind::same_value_data_race, "same_flag",
                 "same_flag");
    require_only(launch_of([&] { same_flag_shared(out); }), FindingKind::same_value_data_race,
                 "same_flag_shared", "same_flag_shared");
  });
}

TEST_CASE("a thread that reads and writes races with others that only read") {
  Array<int> out(64);
  in_every_order([&] {
    require_only(launch_of([&] { all_read_one_writes(out); }), FindingKind::data_race, "all_read",
                 "one_writes");
    Array<int> slot(1), in(8);
    require_only(launch_of([&] { read_long_before(slot, in, out); }), FindingKind::data_race,
                 "read_long_before", "write_long_after");
    require_only(launch_of([&] { last_block_writes(slot, out); }), FindingKind::data_race,
                 "every_block_reads", "last_block_writes");
  });
}

TEST_CASE("neighboring bytes of a word are different places") {
  Array<char> out(64);
  require_clean([&] { neighbor_bytes(out); });
}

TEST_CASE("blocks of a launch race in global memory, launches do not") {
  Array<int> data(128);
  in_every_order([&] {
    data.named("data");
    const auto launch = launch_of([&] { blocks_collide(data); });
    require_only(launch, FindingKind::data_race, "collide", "collide");
    REQUIRE(launch.findings[0].count == 32);
    REQUIRE(launch.findings[0].first.block.x != launch.findings[0].second.block.x);
    const std::string place = text_of(launch.findings[0].memory);
    REQUIRE(place.substr(0, 5) == "data[");
    require_only(launch_of([&] { blocks_read_each_other(data); }), FindingKind::data_race,
                 "other_read", "other_write");
  });
  require_clean([&] { grid_order(data); });
}

TEST_CASE("an unprotected sum is a data race, an atomic sum is not, a mixed one is") {
  Array<int> sum(1), out(64);
  in_every_order([&] {
    const auto unsafe = launch_of([&] { unsafe_sum(sum); });
    REQUIRE(!of_kind(unsafe, FindingKind::data_race).empty());
    for (const Finding& finding : unsafe.findings) {
      REQUIRE(finding.first.place.line == line_of("unsafe_sum"));
    }
    require_clean([&] { atomic_sum(sum); });
    require_only(launch_of([&] { atomic_and_plain(sum, out); }), FindingKind::data_race, "atomic",
                 "plain");
  });
}

TEST_CASE("__syncwarp() orders the lanes that it names, a shuffle orders nobody") {
  Array<int> out(64);
  in_every_order([&] {
    require_clean([&] { warp_exchange(out, true); });
    require_only(launch_of([&] { warp_exchange(out, false); }), FindingKind::data_race,
                 "warp_store", "warp_load");
    require_only(launch_of([&] { warp_exchange_by_shuffle(out); }), FindingKind::data_race,
                 "shuffled_store", "shuffled_load");
    require_only(launch_of([&] { half_warps(out); }), FindingKind::data_race, "half_store",
                 "half_load");
  });
}

TEST_CASE("reads of memory that nobody wrote") {
  Array<int> unwritten(32, false), written(32), out(64);
  const auto global = launch_of([&] { read_unwritten(unwritten, out); });
  require_only(global, FindingKind::uninitialized_read, "copy_unwritten");
  REQUIRE(global.findings[0].count == 32);
  require_clean([&] { read_unwritten(written, out); });
  const auto shared = launch_of([&] { read_unwritten_shared(out); });
  require_only(shared, FindingKind::uninitialized_read, "unwritten_shared");
  REQUIRE(shared.findings[0].count == 2);
  REQUIRE(shared.findings[0].first.thread.x == 30);
  require_clean([&] { read_after_write(unwritten, out); });
  require_clean([&] { read_unwritten(unwritten, out); });
}

TEST_CASE("a store past the end is stopped before it happens") {
  Array<int> out(40);
  out.named("out");
  const auto launch = launch_of([&] {
    past_the_end(out, 40);
    REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    const std::string sentence = tilelab::emulator::fault_message();
    REQUIRE(sentence.find("past the end of a device allocation of 160 bytes") != std::string::npos);
  });
  require_only(launch, FindingKind::out_of_bounds, "store");
  REQUIRE(text_of(launch.findings[0].memory) == "out[40]");
  REQUIRE(launch.findings[0].first.thread.x == 8);
  REQUIRE(launch.findings[0].first.block.x == 1);
}

TEST_CASE("arrays that the submission allocates are named after its pointers") {
  const auto second = launch_of([] { past_own_array(40); });
  require_only(second, FindingKind::out_of_bounds, "store");
  REQUIRE(text_of(second.findings[0].memory) == "second[40]");
  REQUIRE(second.findings[0].memory.size == 40);
}

TEST_CASE("arrays without a pointer of their own have numbers") {
  const auto second = launch_of([] { past_unnamed_array(40); });
  require_only(second, FindingKind::out_of_bounds, "store");
  REQUIRE(text_of(second.findings[0].memory) == "allocation 2[40]");
  // The next observation counts from 1 again.
  const auto again = launch_of([] { past_unnamed_array(36); });
  REQUIRE(text_of(again.findings[0].memory) == "allocation 2[36]");
}

TEST_CASE("a store before the begin is stopped") {
  Array<int> out(64);
  require_only(launch_of([&] { before_the_begin(out); }), FindingKind::out_of_bounds, "store");
}

TEST_CASE("an unsigned index below zero is one of the array that it was meant for") {
  Array<int> other(64), out(64), another(64);
  out.named("out");
  another.named("another");
  const auto launch = launch_of([&] { unsigned_below_zero(out); });
  require_only(launch, FindingKind::out_of_bounds, "store_unsigned");
  REQUIRE(text_of(launch.findings[0].memory) == "out[4294967293]");
}

TEST_CASE("elements that were not named are out of bounds") {
  Array<int> out(64);
  int* inner = out + 16;
  tilelab::emulator::name_allocation(inner, "out", sizeof(int), 32);
  const auto past = launch_of([&] { past_the_end(inner, 33); });
  require_only(past, FindingKind::out_of_bounds, "store");
  REQUIRE(text_of(past.findings[0].memory) == "out[32]");
  Array<int> again(64);
  inner = again + 16;
  tilelab::emulator::name_allocation(inner, "out", sizeof(int), 32);
  const auto before = launch_of([&] { before_the_begin(inner); });
  require_only(before, FindingKind::out_of_bounds, "store");
  REQUIRE(text_of(before.findings[0].memory) == "out[-3]");
}

TEST_CASE("shared and constant memory have bounds too") {
  const auto run = [](void (*launch)(int*, int), int i) {
    return launch_of([&] {
      Array<int> out(1);
      launch(out, i);
    });
  };
  for (const int i : {8, 9, -1}) {
    const auto launch = run(past_shared, i);
    require_only(launch, FindingKind::out_of_bounds, "past_shared");
    REQUIRE(text_of(launch.findings[0].memory) == "tile[" + std::to_string(i) + "]");
  }
  const auto dynamic = run(past_dynamic, 8);
  require_only(dynamic, FindingKind::out_of_bounds, "past_dynamic");
  REQUIRE(text_of(dynamic.findings[0].memory) == "byte 32 of shared memory");
  require_only(run(past_constant, 400), FindingKind::out_of_bounds, "past_constant");
}

TEST_CASE("misaligned accesses are stopped") {
  Array<int> in(8), out(1);
  require_only(launch_of([&] {
                 misaligned_vector(in, out);
                 REQUIRE(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
               }),
               FindingKind::misaligned, "misaligned");
  Array<int> other(1);
  require_only(launch_of([&] { misaligned_shared(other, 2); }), FindingKind::misaligned,
               "misaligned_shared");
}

TEST_CASE("memory that was freed") {
  int* out = nullptr;
  REQUIRE(cudaMalloc(&out, 4) == cudaSuccess);
  require_only(launch_of([&] { use_freed(out); }), FindingKind::use_after_free, "write_one");
}

TEST_CASE("host pointers, null pointers, and writes to constant memory") {
  Array<int> out(1);
  int local = 0;
  std::vector<int> heap(4);
  require_only(launch_of([&] { write_host_memory(&local); }), FindingKind::host_pointer,
               "write_one");
  Array<int> other(1);
  require_only(launch_of([&] { read_host_heap(heap.data(), other); }), FindingKind::host_pointer,
               "read_one");
  require_only(launch_of([&] { write_null(); }), FindingKind::out_of_bounds, "write_one");
  const auto written = launch_of([&] { write_constant(); });
  require_only(written, FindingKind::constant_write, "write_constant");
  REQUIRE(contains(text_of(written.findings[0]), "table[0]"));
  REQUIRE(local == 0);
}

TEST_CASE("barriers that not all threads reach, lanes that never come") {
  Array<int> out(32);
  require_only(launch_of([&] { diverge_at_barrier(out); }), FindingKind::divergent_barrier,
               "first_barrier", "second_barrier");
  Array<int> other(32);
  const auto launch = launch_of([&] { forget_lanes(other); });
  INFO(texts_of(launch.findings));
  REQUIRE(launch.findings.size() == 1);
  REQUIRE(launch.findings[0].kind == FindingKind::deadlock);
  REQUIRE(contains(text_of(launch.findings[0]), "Deadlock: kernel missing_lanes_kernel"));
}

TEST_CASE("launches that fail, and memory that is not freed") {
  Array<int> out(1);
  const Report failed = observe([&] { too_many_threads(out); });
  REQUIRE(failed.launches.empty());
  REQUIRE(failed.findings.size() == 1);
  REQUIRE(failed.findings[0].kind == FindingKind::failed_launch);
  REQUIRE(failed.findings[0].kernel == "write_one");
  REQUIRE(failed.findings[0].sentence.find("cudaErrorInvalidConfiguration") == 0);

  const Report leaking = observe([] { leak(); });
  REQUIRE(leaking.live_allocations == 1);
  REQUIRE(leaking.findings.size() == 1);
  REQUIRE(leaking.findings[0].kind == FindingKind::leak);
  REQUIRE(text_of(leaking.findings[0]) ==
          "Memory leak: 400 bytes of device memory (forgotten) were never freed.");
}

TEST_CASE("the last block may read what the others wrote before a fence") {
  Array<int> in(4), partial(4), out(1);
  in_every_order([&] {
    Array<unsigned> counter(1), other_counter(1);
    require_clean([&] { last_block_sums(in, partial, counter, out, true); });
    require_only(launch_of([&] { last_block_sums(in, partial, other_counter, out, false); }),
                 FindingKind::data_race, "partial_store", "partial_load");
  });
}

TEST_CASE("memcpy in a kernel, and variables of the device") {
  Array<int> in(32), out(64);
  require_clean([&] { copy_by_memcpy(in, out); });
  require_clean([&] { device_variable(out); });
  REQUIRE(out.values()[63] == 2);
}

TEST_CASE("a store outside of a variable of the device names it") {
  Array<int> clean(32);
  require_clean([&] { store_in_box(clean, 999); });
  for (const int index : {20'000, 70'000}) {
    Array<int> out(32);
    const LaunchReport launch = launch_of([&] { store_in_box(out, index); });
    const auto found = of_kind(launch, FindingKind::out_of_bounds);
    INFO(texts_of(launch.findings));
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].first.place.line == line_of("outside_of_box"));
    REQUIRE(contains(text_of(found[0]), "writes box[" + std::to_string(index) + "] "));
    REQUIRE(contains(text_of(found[0]), "but box has 1000 elements"));
  }
}

TEST_CASE("findings become sentences") {
  Array<int> in(64), out(128);
  const auto race = of_kind(launch_of([&] { missing_barrier(in, out); }), FindingKind::data_race);
  const std::string file = "finding_kernels.cu:";
  const std::string text = text_of(race.at(0));
  INFO(text);
  REQUIRE(contains(text, "Data race: block (0,0,0), thread ("));
  REQUIRE(contains(text, "writes tile["));
  REQUIRE(contains(text, "in " + file + std::to_string(line_of("shift_store"))));
  REQUIRE(contains(text, "reads it in " + file + std::to_string(line_of("shift_load"))));
  REQUIRE(contains(text,
                   "with no barrier between them: let all threads of the block meet at "
                   "__syncthreads() between the two."));

  const auto of_lanes =
      of_kind(launch_of([&] { warp_exchange(out, false); }), FindingKind::data_race);
  REQUIRE(contains(text_of(of_lanes.at(0)),
                   "with no barrier between them: let the lanes of the "
                   "warp meet at __syncwarp() between the two, or "));
  Array<int> both(128);
  const auto of_blocks = of_kind(launch_of([&] { blocks_collide(both); }), FindingKind::data_race);
  REQUIRE(contains(text_of(of_blocks.at(0)),
                   "nothing orders the blocks of a launch: use an atomic "
                   "function such as atomicAdd(), or let only one thread write it."));

  Array<int> small(40);
  small.named("out");
  const auto past = launch_of([&] { past_the_end(small, 40); });
  REQUIRE(text_of(past.findings.at(0)) ==
          "Out of bounds: block (1,0,0), thread (8,0,0) writes out[40] in " + file +
              std::to_string(line_of("store")) + ", but out has 40 elements.");
}

TEST_CASE("without looking for data races, the counts are the same") {
  Array<int> in(64), out(128);
  ObserverOptions options;
  options.detail = Detail::counts;
  const auto counted = launch_of([&] { missing_barrier(in, out); }, options);
  REQUIRE(counted.findings.empty());
  const auto checked = launch_of([&] { missing_barrier(in, out); });
  REQUIRE(counted.totals == checked.totals);
}
