#include "emulator/runtime/blocks/cluster.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "emulated/launch.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/memory/shared_memory.h"
#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

constexpr std::size_t shared_memory_unit = 1024;

/// Between the blocks, so that what is past the end of one is not in the next.
constexpr std::size_t gap_bytes = 64 << 10;

}  // namespace

Cluster::Cluster(uint3 first, const dim3& extent, unsigned threads_per_block,
                 std::size_t dynamic_bytes)
    : first_(first),
      extent_(extent),
      dynamic_bytes_(dynamic_bytes),
      static_bytes_(round_up(static_shared_memory().size(), shared_memory_unit)),
      stride_(static_bytes_ + round_up(dynamic_bytes, shared_memory_unit) + gap_bytes),
      has_begun_(blocks()),
      has_ended_(blocks()),
      living_(blocks() * threads_per_block),
      awaited_(blocks(), std::vector<std::uint64_t>(threads_per_block)) {
  void* const memory = mmap(nullptr, blocks() * stride_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("there is no memory for the blocks of a cluster");
  memory_ = static_cast<std::byte*>(memory);
}

Cluster::~Cluster() { munmap(memory_, blocks() * stride_); }

unsigned Cluster::rank_of(uint3 block) const {
  return block.x - first_.x + extent_.x * (block.y - first_.y + extent_.y * (block.z - first_.z));
}

uint3 Cluster::block(unsigned rank) const {
  return {first_.x + rank % extent_.x, first_.y + rank / extent_.x % extent_.y,
          first_.z + rank / (extent_.x * extent_.y)};
}

void Cluster::save_memory(unsigned rank) {
  const auto segment = static_shared_memory();
  std::copy(segment.begin(), segment.end(), address_of({rank, false, 0}));
  std::memcpy(address_of({rank, true, 0}), dynamic_shared_memory, dynamic_bytes_);
}

void Cluster::restore_memory(unsigned rank) const {
  const auto segment = static_shared_memory();
  std::copy_n(address_of({rank, false, 0}), segment.size(), segment.begin());
  std::memcpy(dynamic_shared_memory, address_of({rank, true, 0}), dynamic_bytes_);
}

std::optional<ClusterPlace> Cluster::place_of(const void* address) const {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory_);
  if (offset >= blocks() * stride_) return std::nullopt;
  const std::size_t inside = offset % stride_;
  const bool is_dynamic = dynamic_bytes_ > 0 && inside >= static_bytes_;
  return ClusterPlace{static_cast<unsigned>(offset / stride_), is_dynamic,
                      is_dynamic ? inside - static_bytes_ : inside};
}

std::byte* Cluster::address_of(const ClusterPlace& place) const {
  return memory_ + place.rank * stride_ + (place.is_dynamic ? static_bytes_ : 0) + place.offset;
}

unsigned Cluster::ended_blocks() const {
  return static_cast<unsigned>(std::count(has_ended_.begin(), has_ended_.end(), true));
}

bool Cluster::arrive(unsigned rank, unsigned thread) {
  if (awaited_[rank][thread] != 0) return false;
  awaited_[rank][thread] = openings_ + 1;
  ++arrived_;
  return true;
}

void Cluster::exit(unsigned rank, unsigned thread) {
  --living_;
  if (awaited_[rank][thread] > openings_) --arrived_;
}

bool Cluster::open_if_complete() {
  if (arrived_ == 0 || arrived_ < living_) return false;
  ++openings_;
  arrived_ = 0;
  return true;
}

}  // namespace tilelab::emulator
