#include "emulator/observer/streams/stream_races.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/observer/memory/byte_mask.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/api/pools.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/host_thread.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/pinned_memory.h"
#include "emulator/runtime/memory/places.h"
#include "emulator/runtime/runtime_lock.h"

namespace tilelab::emulator {
namespace {

/// Whether host code may use the memory, too.
bool is_shared_with_host(const void* pointer) {
  if (DeviceMemory::instance().contains(pointer)) {
    return DeviceMemory::instance().is_for_host(pointer);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return PinnedMemory::instance().contains(address, 1) || is_managed_variable(address);
}

/// The compressed address of such memory.
std::uint32_t compress_shared_with_host(std::uintptr_t address, std::size_t bytes) {
  if (const auto pinned = PinnedMemory::instance().place_of(address)) {
    return space_base::pinned + pinned->number;
  }
  return compress_device(reinterpret_cast<const void*>(address), bytes).value_or(space_base::local);
}

constexpr const char* host_function = "a host function";
constexpr const char* caller = "the caller";
constexpr std::string_view allocation = "cudaMallocAsync";

/// "cudaMemsetAsync()"
std::string name_of_call(const char* call) {
  return call == host_function || call == caller ? call : std::string(call) + "()";
}

/// "cudaMemsetAsync() writes "
std::string act_of_call(const char* call, bool writes) {
  const std::string_view name = call;
  const char* const verb = name == "cudaFreeAsync" ? "frees"
                           : name == allocation    ? "allocates"
                           : writes                ? "writes"
                                                   : "reads";
  return name_of_call(call) + ' ' + verb + ' ';
}

bool has_memory_for_both() {
  return DeviceMemory::instance().has_blocks_for_host() || !PinnedMemory::instance().is_empty() ||
         has_managed_variables();
}

}  // namespace

void StreamRaces::host_waits_for_device() {
  clocks_.host_waits_for_device();
  forget_works();
}

void StreamRaces::forget_works() {
  first_work_ += static_cast<std::uint32_t>(works_.size());
  works_.clear();
}

/// What streams did to memory that was there before says nothing of this one.
void StreamRaces::memory_allocated(const void* pointer, std::size_t bytes) {
  last_block_ = {};
  if (!is_watching() || !DeviceMemory::instance().contains(pointer)) return;
  find_word(compress_arena(pointer), bytes, [](std::uint32_t, Word& word) {
    word = {};
    return false;
  });
}

void StreamRaces::launch_begins(const KernelCall&, const LaunchConfiguration& configuration) {
  begin_work({clocks_.begin_work(configuration.stream),
              nullptr,
              configuration.grid,
              configuration.block,
              configuration.site,
              {}});
}

void StreamRaces::host_function_begins(cudaStream_t stream) {
  Work work{clocks_.begin_work(stream), host_function, {}, {}, {}, {}};
  StreamClocks::see(host_functions_.emplace_back(), work.order);
  begin_work(std::move(work));
}

void StreamRaces::host_function_ends() {
  clocks_.function_ends(host_functions_.back());
  host_functions_.pop_back();
}

void StreamRaces::stream_copy_begins(cudaStream_t stream, const char* call) {
  is_copying_ = true;
  Work work{clocks_.begin_work(stream), call, {}, {}, {}, {}};
  if (watches_copies_) work.callers = innermost_callers();
  begin_work(std::move(work));
}

void StreamRaces::stream_created(cudaStream_t stream, bool waits_for_default) {
  clocks_.created(stream, waits_for_default);
  note_before_call();
}

void StreamRaces::begin_work(Work work) {
  shares_with_host_ = shares_with_host_ || has_memory_for_both();
  has_pools_ = has_pools_ || has_pool_blocks();
  if (!is_watching()) return;
  host_thread_ = this_host_thread();
  // What began so long ago is done, most likely.
  constexpr std::size_t most_works = 1 << 16;
  if (works_.size() >= most_works) forget_works();
  works_.push_back(std::move(work));
}

void StreamRaces::stream_copy_accesses(const void* pointer, std::size_t bytes, bool writes) {
  if (!watches_copies_ || !is_copying_ || !is_watching()) return;
  const bool is_shared = is_shared_with_host(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto device = is_shared ? std::nullopt : compress_device(pointer, bytes);
  if (!is_shared && (!device || !watches_device())) return;
  const std::uint32_t begin = device ? *device : compress_shared_with_host(address, bytes);
  Record now;
  now.work = first_work_ + static_cast<std::uint32_t>(works_.size()) - 1;
  for (std::size_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
    now.bytes = byte_mask(at, begin + bytes - at) & 0xf;
    look_at(static_cast<std::uint32_t>(at), 4, now, writes);
  }
}

void StreamRaces::take(const WarpAccess& access) {
  const MemorySpace space = access.space();
  if (!is_watching() || (space != MemorySpace::global && space != MemorySpace::constant)) return;
  const bool writes = kind_of(access.code) != AccessKind::load;
  Record now;
  now.work = first_work_ + static_cast<std::uint32_t>(works_.size()) - 1;
  now.code = access.code;
  now.block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    now.thread = (access.warp * 32 + static_cast<unsigned>(std::countr_zero(lanes))) & 0x3ff;
    const std::uint32_t begin = access.address(i);
    // The variables of the submission come next; shared memory was left out above.
    const bool is_of_device = begin < space_base::pinned;
    const bool is_looked_at = watches_device() && is_of_device;
    if (!is_looked_at && !(shares_with_host_ && is_for_host(begin))) continue;
    for (std::uint32_t at = begin; at < begin + access.bytes(); at = at / 4 * 4 + 4) {
      now.bytes = byte_mask(at, begin + access.bytes() - at) & 0xf;
      look_at(at, access.bytes(), now, writes);
    }
  }
}

bool StreamRaces::is_for_host(std::uint32_t address) {
  const void* const memory = memory_at(address);
  if (address >= space_base::shared) return is_shared_with_host(memory);
  if (address - last_block_.begin >= last_block_.bytes) {
    const auto block = DeviceMemory::instance().block_below(memory);
    if (!block || block->size > ~0u) return is_shared_with_host(memory);
    last_block_ = {address - static_cast<std::uint32_t>(block->offset),
                   static_cast<std::uint32_t>(block->size), is_shared_with_host(memory)};
  }
  return last_block_.is_for_host;
}

StreamRaces::Word& StreamRaces::word_at(std::uint32_t address) {
  Word*& chunk = chunks_[address / chunk_bytes];
  if (chunk == nullptr) {
    chunk = static_cast<Word*>(reserve_memory(chunk_bytes / 4 * sizeof(Word)));
  }
  return chunk[address % chunk_bytes / 4];
}

template <class Function>
void StreamRaces::find_word(std::uint32_t begin, std::size_t bytes, Function function) {
  const std::uint64_t end = begin + std::uint64_t{bytes};
  for (std::uint64_t at = begin; at < end;) {
    Word* const chunk = chunks_[at / chunk_bytes];
    if (chunk == nullptr) {
      at = (at / chunk_bytes + 1) * chunk_bytes;
      continue;
    }
    if (function(static_cast<std::uint32_t>(at), chunk[at % chunk_bytes / 4])) return;
    at = at / 4 * 4 + 4;
  }
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
  const auto conflicts = [&](const Record& earlier) {
    return (earlier.bytes & now.bytes) != 0 && is_unordered(earlier);
  };
  if (conflicts(word.write) && !are_atomic) {
    add(word.write, true, address, bytes, now, writes);
  } else if (writes) {
    for (const Record& read : word.reads) {
      if (!conflicts(read)) continue;
      add(read, false, address, bytes, now, true);
      break;
    }
  }
  note(word, now, writes);
}

void StreamRaces::note(Word& word, const Record& now, bool writes) {
  if (writes) {
    remember(word.write, now);
  } else {
    // A read that nobody orders before this one stays.
    Record& oldest = is_unordered(word.reads[0]) ? word.reads[1] : word.reads[0];
    remember(oldest, now);
  }
}

/// What one piece of work did to other bytes of the word stays.
void StreamRaces::remember(Record& last, Record now) {
  if (last.work == now.work) now.bytes = (now.bytes | last.bytes) & 0xf;
  last = now;
}

// --- What host code reads and writes -------------------------------------------------------------

void StreamRaces::host_synchronizes() {
  if (works_.empty() || !host_functions_.empty()) return;
  const RuntimeLock lock;
  clocks_.host_synchronizes();
}

void StreamRaces::host_accesses(std::uintptr_t address, std::size_t bytes, Code code) {
  if (kind_of(code) == AccessKind::atomic || is_special(code)) host_synchronizes();
  if (!watches_copies_ || !shares_with_host_ || works_.empty()) return;
  if (host_thread_ != this_host_thread()) return other_thread_accesses(address, bytes, code);
  if (!is_shared_with_host(reinterpret_cast<const void*>(address))) return;
  const RuntimeLock lock;
  host_accesses_shared(address, bytes, code);
}

/// A kernel may wait for what the thread writes, so the thread does not wait for the kernel. It may
/// have learned in a way that nobody sees what functions of the host tell.
void StreamRaces::other_thread_accesses(std::uintptr_t address, std::size_t bytes, Code code) {
  const RuntimeTryLock lock;
  if (!lock.is_held() || !host_functions_.empty()) return;
  if (!is_shared_with_host(reinterpret_cast<const void*>(address))) return;
  clocks_.host_synchronizes();
  host_accesses_shared(address, bytes, code);
}

void StreamRaces::host_accesses_shared(std::uintptr_t address, std::size_t bytes, Code code) {
  const std::uint32_t begin = compress_shared_with_host(address, bytes);
  for (std::uint32_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
    const Word* const chunk = chunks_[at / chunk_bytes];
    if (chunk == nullptr) continue;
    const Word& word = chunk[at % chunk_bytes / 4];
    const unsigned mask = byte_mask(at, begin + bytes - at) & 0xf;
    const auto size = static_cast<unsigned>(std::min<std::size_t>(bytes, 4));
    if (is_early(word.write, mask)) {
      // A volatile or an atomic variable may be there to wait for.
      const bool may_wait = is_special(code) || kind_of(code) == AccessKind::atomic;
      if (may_wait && kind_of(code) != AccessKind::store) return saw(find(word.write)->order);
      return add_early(word.write, true, at, size, code);
    }
    if (kind_of(code) == AccessKind::load) continue;
    for (const Record& read : word.reads) {
      if (is_early(read, mask)) return add_early(read, false, at, size, code);
    }
  }
  // What such a function does as work of a stream, other streams' work may conflict with.
  if (host_functions_.empty() || is_special(code)) return;
  note_range(begin, bytes, code, kind_of(code) != AccessKind::load);
}

void StreamRaces::note_range(std::uint32_t begin, std::size_t bytes, Code code, bool writes) {
  Record now;
  now.work = first_work_ + static_cast<std::uint32_t>(works_.size()) - 1;
  now.code = code;
  for (std::uint32_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
    now.bytes = byte_mask(at, begin + bytes - at) & 0xf;
    note(word_at(at), now, writes);
  }
}

/// Whether the host code that runs does not come after an access to some of these bytes.
bool StreamRaces::is_early(const Record& earlier, unsigned bytes) const {
  const Work* const work = find(earlier);
  return work != nullptr && !is_done(work->order) && (earlier.bytes & bytes) != 0;
}

void StreamRaces::add_early(const Record& earlier, bool earlier_writes, std::uint32_t address,
                            unsigned bytes, Code code) {
  const bool host_reads = kind_of(code) == AccessKind::load;
  // What a statement reads too early, it also writes too early.
  if (!host_reads && (is_special(code) || is_special(earlier.code) || address == read_early_))
    return;
  read_early_ = host_reads ? address : 0;
  std::vector<report::Accessor> sides = {side_of(code, {}, {})};
  const std::string call = call_of(earlier, earlier_writes);
  if (call.empty()) sides.push_back(thread_of(earlier));
  findings_.add_early(
      host_reads ? report::FindingKind::early_read : report::FindingKind::early_write, address,
      bytes, sides, call, find(earlier)->callers);
}

report::Accessor StreamRaces::thread_of(const Record& record) const {
  const Work& work = *find(record);
  return side_of(record.code, unflatten(record.block, work.grid),
                 unflatten(record.thread, work.block));
}

std::string StreamRaces::call_of(const Record& record, bool writes) const {
  const char* const call = find(record)->call;
  if (call == nullptr) return "";
  return name_of_call(call) + (writes ? ", which writes it" : ", which reads it");
}

// --- What the caller of a submission does in the default stream ----------------------------------

void StreamRaces::call_begins(const void*) {
  before_call_ = clocks_.begin_work(nullptr);
  note_before_call();
}

void StreamRaces::note_before_call() {
  if (!watches_copies_ || !watches_device() || !before_call_) return;
  begin_work({*std::exchange(before_call_, std::nullopt), caller, {}, {}, {}, {}});
  for (const ArrayOfCall& one : arrays_of_call()) {
    if (one.is_read) note_range(compress_arena(one.begin), one.bytes, 0, true);
  }
}

void StreamRaces::call_returns() {
  before_call_.reset();
  if (!watches_copies_ || !watches_device() || sticky_error() != cudaSuccess) return;
  is_copying_ = true;
  begin_work({clocks_.begin_work(nullptr), caller, {}, {}, {}, {}});
  for (const ArrayOfCall& one : arrays_of_call()) {
    if (one.is_written) {
      stream_copy_accesses(reinterpret_cast<const void*>(one.begin), one.bytes, false);
    }
  }
  is_copying_ = false;
}

// --- What host code frees ------------------------------------------------------------------------

void StreamRaces::host_frees(const void* begin, std::size_t bytes) {
  if (!watches_copies_ || works_.empty()) return;
  const std::uint32_t first =
      is_shared_with_host(begin)
          ? compress_shared_with_host(reinterpret_cast<std::uintptr_t>(begin), bytes)
          : compress_arena(begin);
  find_word(first, bytes, [&](std::uint32_t address, const Word& word) {
    for (const Record* const earlier : {&word.write, &word.reads[0], &word.reads[1]}) {
      if (!is_early(*earlier, 0xf) || !is_used(*earlier)) continue;
      add_early_free(*earlier, earlier == &word.write, address);
      return true;
    }
    return false;
  });
}

/// Whether it is more than an allocation.
bool StreamRaces::is_used(const Record& record) const {
  const char* const call = find(record)->call;
  return call == nullptr || std::string_view(call) != allocation;
}

void StreamRaces::add_early_free(const Record& earlier, bool earlier_writes,
                                 std::uint32_t address) {
  const std::string call = call_of(earlier, earlier_writes);
  const bool is_of_host = is_shared_with_host(memory_at(address));
  findings_.add_early_free(address, is_of_host,
                           call.empty() ? std::optional(thread_of(earlier)) : std::nullopt, call,
                           innermost_callers(), find(earlier)->callers);
}

// --- What nothing orders -------------------------------------------------------------------------

void StreamRaces::add(const Record& earlier, bool earlier_writes, std::uint32_t address,
                      unsigned bytes, const Record& now, bool now_writes) {
  // A side is a thread, or a function of the runtime, which the sentence names.
  std::vector<report::Accessor> threads;
  std::vector<report::SourcePlace> launches;
  std::string calls;
  std::vector<std::vector<std::uint64_t>> callers;
  const auto add_side = [&](const Record& record, bool writes) {
    const Work& work = *find(record);
    if (work.call == nullptr) {
      threads.push_back(thread_of(record));
      launches.push_back({0, work.site.file, work.site.line});
    } else {
      calls += (calls.empty() ? "" : "it, and ") + act_of_call(work.call, writes);
      callers.push_back(work.callers);
    }
  };
  add_side(earlier, earlier_writes);
  add_side(now, now_writes);
  findings_.add_unordered(kind_of_race(*find(earlier), *find(now)), address, bytes, threads, calls,
                          std::move(launches), callers);
}

report::FindingKind StreamRaces::kind_of_race(const Work& earlier, const Work& now) {
  using report::FindingKind;
  if (earlier.call == caller || now.call == caller) return FindingKind::caller_race;
  const std::uint32_t graph = earlier.order.graph;
  const bool are_in_graph = graph != 0 && graph == now.order.graph;
  return are_in_graph ? FindingKind::graph_race : FindingKind::stream_race;
}

}  // namespace tilelab::emulator
