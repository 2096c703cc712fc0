#include "emulator/observer/clusters/cluster_detector.h"

#include <utility>

#include "emulator/observer/events/cluster_address.h"
#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/memory/byte_mask.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {

using report::FindingKind;

namespace {

constexpr const char* not_ordered = "no sync() of the cluster is between them";
constexpr const char* not_begun =
    "nothing says that this block has begun: its cluster must sync() before blocks access each "
    "other's shared memory";
constexpr const char* may_have_exited =
    "nothing keeps this block from exiting before: its cluster must sync() after the last access";

const Cluster* running_cluster() { return Scheduler::instance().cluster(); }

/// Where the word is in the list of a block's words.
std::size_t word_index(const ClusterPlace& place) {
  const std::size_t static_words = (static_shared_memory().size() + 3) / 4;
  return (place.is_dynamic ? static_words : 0) + place.offset / 4;
}

std::size_t word_count() {
  const std::size_t dynamic = Scheduler::instance().configuration().dynamic_shared_bytes;
  return word_index({0, true, dynamic + 3});
}

/// A volatile variable, or an atomic operation: threads say that they expect others.
bool expects_others(Code code) { return kind_of(code) == AccessKind::atomic || is_special(code); }

}  // namespace

// --- Blocks --------------------------------------------------------------------------------------

void ClusterDetector::launch_begins(const KernelCall&, const LaunchConfiguration& configuration) {
  is_active_ = hot.watches_stores && configuration.has_cluster;
  clusters_.clear();
}

void ClusterDetector::block_begins() {
  if (!is_active_) return;
  const Cluster& cluster = *running_cluster();
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  clusters_[cluster.number()].insert_or_assign(cluster.rank_of(blockIdx),
                                               Block{ClusterTimes(threads),
                                                     std::vector<Word>(word_count()),
                                                     std::vector<ForeignAccess>(cluster.blocks()),
                                                     {}});
}

void ClusterDetector::block_ends() {
  const Block* const own = own_block();
  if (own == nullptr) return;
  const std::uint32_t waits = own->times.most_waits();
  for (const ForeignAccess& access : own->foreign_accesses) {
    if (access.record.bytes != 0 && access.record.time.arrivals >= waits) add_exit(access);
  }
  const Cluster& cluster = *running_cluster();
  if (cluster.ended_blocks() + 1 == cluster.blocks()) clusters_.erase(cluster.number());
}

ClusterDetector::Block* ClusterDetector::own_block() {
  const Cluster* const cluster = running_cluster();
  if (!is_active_ || cluster == nullptr) return nullptr;
  Blocks& blocks = clusters_[cluster->number()];
  const auto found = blocks.find(cluster->rank_of(blockIdx));
  return found != blocks.end() ? &found->second : nullptr;
}

// --- What orders the blocks ----------------------------------------------------------------------

void ClusterDetector::cluster_arrived() {
  if (Block* own = own_block()) own->times.arrives(running_thread());
}

void ClusterDetector::cluster_passed() {
  if (Block* own = own_block()) own->times.waits(running_thread());
}

void ClusterDetector::threads_meet(std::span<const unsigned> ranks) {
  if (Block* own = own_block()) own->times.meet(ranks);
}

void ClusterDetector::barrier_opens() {
  if (is_active_) threads_meet(Scheduler::instance().living_threads());
}

void ClusterDetector::block_unparks(std::uint64_t) {
  Block* const own = own_block();
  if (own == nullptr) return;
  for (const auto& [address, bytes] : std::exchange(own->foreign_writes, {})) {
    reads_.shared_memory_written(address, bytes);
  }
}

// --- Accesses ------------------------------------------------------------------------------------

void ClusterDetector::take_alone(Event event, unsigned thread) {
  if (is_active_) take_access(event, thread, false);
}

void ClusterDetector::copy_issued(std::uint32_t, std::uint32_t) {
  if (!is_active_) return;
  const CopyPlace& place = copies_.place();
  for (std::uint32_t at = place.to; at < place.to + place.bytes; at += bytes_of(place.store)) {
    take_access(make_event(place.store, at), running_thread(), true);
  }
}

void ClusterDetector::take_access(Event event, unsigned thread, bool is_copy) {
  const std::uint32_t address = address_of(event);
  const bool is_foreign = is_cluster_address(address);
  const bool is_own = address >= space_base::shared && address < space_base::variables;
  Block* const own = is_foreign || is_own ? own_block() : nullptr;
  if (own == nullptr) return;
  const Cluster& cluster = *running_cluster();
  const unsigned rank = cluster.rank_of(blockIdx);
  const ClusterPlace place = is_foreign ? cluster_place_at(address) : own_place_at(address, rank);
  const std::uint32_t begin = compress_cluster_place(place);
  const unsigned bytes = bytes_of(code_of(event));
  Record now{own->times.of(thread), code_of(event), static_cast<std::uint16_t>(rank),
             static_cast<std::uint16_t>(thread),
             static_cast<std::uint8_t>(byte_mask(begin, bytes))};
  if (is_foreign && !is_there(now, address, bytes)) return;
  Block& owner = clusters_[cluster.number()].at(place.rank);
  bool is_unwritten = false, is_new = false;
  for (std::uint32_t at = begin; at < begin + bytes; at = at / 4 * 4 + 4) {
    now.bytes = static_cast<std::uint8_t>(byte_mask(at, bytes));
    Word& word = owner.words[word_index(cluster_place_at(at))];
    look_for_race(word, now, at, bytes);
    const bool lacks_bytes = (now.bytes & ~word.written) != 0;
    const bool is_store = kind_of(now.code) == AccessKind::store;
    is_unwritten = is_unwritten || (lacks_bytes && !is_store);
    is_new = is_new || lacks_bytes;
    remember(word, now);
  }
  if (!is_foreign || is_copy) return;
  if (is_unwritten) {
    findings_.add(FindingKind::uninitialized_read, address, bytes, {side_of(party(now))});
  }
  if (is_new && kind_of(now.code) != AccessKind::load) {
    owner.foreign_writes.emplace_back(own_address_of(place), bytes);
  }
}

/// Whether the block has begun and not ended whose memory is accessed, in every order.
bool ClusterDetector::is_there(const Record& now, std::uint32_t address, unsigned bytes) {
  const Cluster& cluster = *running_cluster();
  const unsigned rank = cluster_place_at(address).rank;
  Blocks& blocks = clusters_[cluster.number()];
  const auto owner = blocks.find(rank);
  if (now.time.waits == 0 || owner == blocks.end()) {
    findings_.add(FindingKind::absent_block, address, bytes, {side_of(party(now))}, not_begun);
    return false;
  }
  const ForeignAccess access{now, address, bytes};
  if (cluster.has_ended(rank)) {
    add_exit(access);
    return false;
  }
  owner->second.foreign_accesses[now.rank] = access;
  return true;
}

void ClusterDetector::add_exit(const ForeignAccess& access) {
  findings_.add(FindingKind::absent_block, access.address, access.bytes,
                {side_of(party(access.record))}, may_have_exited);
}

void ClusterDetector::look_for_race(const Word& word, const Record& now, std::uint32_t address,
                                    unsigned bytes) {
  const auto conflicts = [&](const Record& earlier) {
    if ((earlier.bytes & now.bytes) == 0 || earlier.rank == now.rank) return false;
    return !earlier.time.is_before(now.time) &&
           !(expects_others(earlier.code) && expects_others(now.code));
  };
  const bool is_load = kind_of(now.code) == AccessKind::load;
  for (const Record& earlier : {word.write, word.reads[0], word.reads[1]}) {
    const bool both_load = is_load && kind_of(earlier.code) == AccessKind::load;
    if (both_load || !conflicts(earlier)) continue;
    findings_.add(FindingKind::data_race, address, bytes,
                  {side_of(party(earlier)), side_of(party(now))}, not_ordered);
    return;
  }
}

void ClusterDetector::remember(Word& word, const Record& now) const {
  if (kind_of(now.code) != AccessKind::load) {
    word.write = now;
    word.written |= now.bytes;
    return;
  }
  const bool is_of_second = word.reads[0].bytes != 0 && word.reads[0].rank != now.rank;
  word.reads[is_of_second ? 1 : 0] = now;
}

Party ClusterDetector::party(const Record& record) const {
  return {record.code, running_cluster()->block(record.rank), record.thread};
}

}  // namespace tilelab::emulator
