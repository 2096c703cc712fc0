#include "emulator/observer/streams/stream_races.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {

void StreamRaces::host_waits_for_device() {
  clocks_.host_waits_for_device();
  forget_works();
}

void StreamRaces::forget_works() {
  first_work_ += static_cast<std::uint32_t>(works_.size());
  works_.clear();
}

void StreamRaces::launch_begins(const KernelCall&, const LaunchConfiguration& configuration) {
  begin_work(
      {clocks_.begin_work(configuration.stream), nullptr, configuration.grid, configuration.block});
}

void StreamRaces::stream_copy_begins(cudaStream_t stream, const char* call) {
  is_copying_ = true;
  begin_work({clocks_.begin_work(stream), call, {}, {}});
}

void StreamRaces::begin_work(Work work) {
  if (!clocks_.has_streams()) return;
  // What began so long ago is done, most likely.
  constexpr std::size_t most_works = 1 << 16;
  if (works_.size() >= most_works) forget_works();
  works_.push_back(std::move(work));
}

void StreamRaces::stream_copy_accesses(const void* pointer, std::size_t bytes, bool writes) {
  if (!watches_copies_ || !is_copying_ || !clocks_.has_streams()) return;
  if (!DeviceMemory::instance().contains(pointer)) return;
  const std::uint32_t begin = compress_arena(pointer);
  Record now;
  now.work = first_work_ + static_cast<std::uint32_t>(works_.size()) - 1;
  for (std::size_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
    look_at(static_cast<std::uint32_t>(at), 4, now, writes);
  }
}

void StreamRaces::take(const WarpAccess& access) {
  if (!clocks_.has_streams() || access.space() != MemorySpace::global) return;
  const bool writes = kind_of(access.code) != AccessKind::load;
  Record now;
  now.work = first_work_ + static_cast<std::uint32_t>(works_.size()) - 1;
  now.code = access.code;
  now.block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    now.thread = access.warp * 32 + static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t begin = access.address(i);
    if (begin >= space_base::shared) continue;
    for (std::uint32_t at = begin; at < begin + access.bytes(); at = at / 4 * 4 + 4) {
      look_at(at, access.bytes(), now, writes);
    }
  }
}

StreamRaces::Word& StreamRaces::word_at(std::uint32_t address) {
  Word*& chunk = chunks_[address / chunk_bytes];
  if (chunk == nullptr) {
    chunk = static_cast<Word*>(reserve_memory(chunk_bytes / 4 * sizeof(Word)));
  }
  return chunk[address % chunk_bytes / 4];
}

const StreamRaces::Work* StreamRaces::find(const Record& record) const {
  return record.work >= first_work_ ? &works_[record.work - first_work_] : nullptr;
}

bool StreamRaces::is_unordered(const Record& earlier) const {
  const Work* const work = find(earlier);
  return work != nullptr && work != &works_.back() && !works_.back().order.comes_after(work->order);
}

void StreamRaces::look_at(std::uint32_t address, unsigned bytes, const Record& now, bool writes) {
  Word& word = word_at(address);
  const bool are_atomic =
      kind_of(word.write.code) == AccessKind::atomic && kind_of(now.code) == AccessKind::atomic;
  if (is_unordered(word.write) && !are_atomic) {
    add(word.write, true, address, bytes, now, writes);
  } else if (writes) {
    for (const Record& read : word.reads) {
      if (!is_unordered(read)) continue;
      add(read, false, address, bytes, now, true);
      break;
    }
  }
  if (writes) {
    word.write = now;
  } else {
    // A read that nobody orders before this one stays.
    Record& oldest = is_unordered(word.reads[0]) ? word.reads[1] : word.reads[0];
    oldest = now;
  }
}

void StreamRaces::add(const Record& earlier, bool earlier_writes, std::uint32_t address,
                      unsigned bytes, const Record& now, bool now_writes) {
  // A side is a thread, or a function of the runtime, which the sentence names.
  std::vector<report::Accessor> threads;
  std::string calls;
  const auto add_side = [&](const Record& record, bool writes) {
    const Work& work = *find(record);
    if (work.call == nullptr) {
      threads.push_back(side_of(record.code, unflatten(record.block, work.grid),
                                unflatten(record.thread, work.block)));
    } else {
      calls += std::string(calls.empty() ? "" : "it, and ") + work.call +
               (writes ? "() writes " : "() reads ");
    }
  };
  add_side(earlier, earlier_writes);
  add_side(now, now_writes);
  const std::uint32_t graph = find(earlier)->order.graph;
  const bool are_in_graph = graph != 0 && graph == find(now)->order.graph;
  findings_.add(are_in_graph ? report::FindingKind::graph_race : report::FindingKind::stream_race,
                address, bytes, threads, calls);
}

}  // namespace tilelab::emulator
