// What the blocks of a cluster do together: they are resident at the same time, wait for each
// other, and access each other's shared memory.

#include <algorithm>
#include <cstdio>

#include "emulated/cluster_functions.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/execution/waiting_blocks.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

Scheduler& running_scheduler() {
  Scheduler* scheduler = Scheduler::running();
  if (scheduler == nullptr) fatal("host code uses a cluster, which only kernels can");
  return *scheduler;
}

/// The place of an address in the running block's own shared memory, if it is one.
std::optional<ClusterPlace> own_place(const void* address, unsigned rank) {
  const auto* const byte = static_cast<const std::byte*>(address);
  const auto segment = static_shared_memory();
  const auto offset = static_cast<std::size_t>(byte - segment.data());
  if (offset < segment.size()) return ClusterPlace{rank, false, offset};
  const auto* const dynamic = reinterpret_cast<const std::byte*>(dynamic_shared_memory);
  const auto in_dynamic = static_cast<std::size_t>(byte - dynamic);
  if (in_dynamic >= device_limits::shared_bytes_per_block_optin) return std::nullopt;
  return ClusterPlace{rank, true, in_dynamic};
}

std::byte* own_address(const ClusterPlace& place) {
  return place.is_dynamic ? reinterpret_cast<std::byte*>(dynamic_shared_memory) + place.offset
                          : static_shared_memory().data() + place.offset;
}

}  // namespace

// --- Blocks come and go --------------------------------------------------------------------------

/// Clusters run one after the other, so that the blocks of one begin together.
uint3 Scheduler::block_of_cluster(std::uint64_t number) const {
  const dim3 &extent = configuration_->cluster, &grid = configuration_->grid;
  const auto size = static_cast<unsigned>(count_of(extent));
  const std::uint64_t cluster = (*block_order_)[number / size];
  auto rank = static_cast<unsigned>(number % size);
  if (chosen_order_ == Order::descending) rank = size - 1 - rank;
  if (chosen_order_ == Order::random) rank = static_cast<unsigned>((rank + cluster) % size);
  const dim3 clusters(grid.x / extent.x, grid.y / extent.y, grid.z / extent.z);
  const uint3 at = unflatten(cluster, clusters), in_cluster = unflatten(rank, extent);
  return {at.x * extent.x + in_cluster.x, at.y * extent.y + in_cluster.y,
          at.z * extent.z + in_cluster.z};
}

/// The running block begins.
void Scheduler::enter_cluster() {
  const dim3& extent = configuration_->cluster;
  const uint3 first = {blockIdx.x / extent.x * extent.x, blockIdx.y / extent.y * extent.y,
                       blockIdx.z / extent.z * extent.z};
  const auto is_own = [first](const auto& cluster) {
    const uint3 other = cluster->block(0);
    return other.x == first.x && other.y == first.y && other.z == first.z;
  };
  const auto known = std::find_if(clusters_.begin(), clusters_.end(), is_own);
  if (known != clusters_.end()) {
    cluster_ = known->get();
  } else {
    clusters_.push_back(std::make_unique<Cluster>(first, extent, thread_count_,
                                                  configuration_->dynamic_shared_bytes));
    cluster_ = clusters_.back().get();
  }
  cluster_->block_begins(cluster_rank());
}

void Scheduler::leave_cluster() {
  cluster_->save_memory(cluster_rank());
  cluster_->block_ends(cluster_rank());
  if (cluster_->ended_blocks() == cluster_->blocks()) {
    std::erase_if(clusters_, [this](const auto& cluster) { return cluster.get() == cluster_; });
  }
  cluster_ = nullptr;
}

unsigned Scheduler::cluster_rank() const { return cluster_->rank_of(blockIdx); }

/// A block of a launch without clusters is one of its own.
Cluster& Scheduler::own_cluster() {
  if (cluster_ == nullptr) {
    enter_cluster();
    for (unsigned rank = 0; rank < thread_count_; ++rank) {
      if (!is_living(rank)) cluster_->exit(0, rank);
    }
  }
  return *cluster_;
}

// --- The barrier ---------------------------------------------------------------------------------

void Scheduler::arrive_at_cluster_barrier(Site site) {
  Cluster& cluster = own_cluster();
  if (!cluster.arrive(cluster_rank(), current_rank())) {
    char sentence[200];
    std::snprintf(sentence, sizeof sentence,
                  "arrives at the cluster's barrier in %s:%u, but has not waited since it arrived "
                  "there before",
                  file_name(site), site.line);
    fault(cudaErrorLaunchFailure, sentence);
  }
  tell_exchange(&Listener::cluster_arrived);
  open_cluster_barrier();
}

void Scheduler::wait_at_cluster_barrier(Site site) {
  Cluster& cluster = own_cluster();
  if (!cluster.has_arrived(cluster_rank(), current_rank())) {
    char sentence[200];
    std::snprintf(sentence, sizeof sentence,
                  "waits at the cluster's barrier in %s:%u, but has not arrived at it: call "
                  "barrier_arrive() first",
                  file_name(site), site.line);
    fault(cudaErrorLaunchFailure, sentence);
  }
  if (!cluster.is_open_for(cluster_rank(), current_rank())) {
    wait_for_wake(WaitsFor::cluster, "the cluster's barrier", site);
  }
  cluster.pass(cluster_rank(), current_rank());
  tell_exchange(&Listener::cluster_passed);
}

void Scheduler::open_cluster_barrier() {
  if (!cluster_->open_if_complete()) return;
  if (progress_listener != nullptr) [[unlikely]]
    progress_listener->cluster_barrier_opens();
  wake_at_cluster_barrier();
  for (const auto& block : waiting_blocks_) {
    const auto waits_here = [](const Thread& thread) {
      return thread.waits_for == WaitsFor::cluster;
    };
    if (block->cluster == cluster_ &&
        std::any_of(block->threads.begin(), block->threads.end(), waits_here)) {
      block->waits = BlockWaits::past_cluster_barrier;
    }
  }
}

void Scheduler::wake_at_cluster_barrier() {
  for (unsigned position = 0; position < thread_count_; ++position) {
    const Thread& thread = threads_[position];
    if (thread.waits_for == WaitsFor::cluster &&
        cluster_->is_open_for(cluster_rank(), thread.rank)) {
      wake(thread.rank);
    }
  }
}

/// A thread exits, for which the others no longer wait.
void Scheduler::exit_from_cluster(unsigned rank) {
  cluster_->exit(cluster_rank(), rank);
  open_cluster_barrier();
}

bool Scheduler::waits_at_cluster_barrier() const {
  return cluster_ != nullptr &&
         std::any_of(threads_.begin(), threads_.begin() + thread_count_,
                     [](const Thread& thread) { return thread.waits_for == WaitsFor::cluster; });
}

// --- What kernels call ---------------------------------------------------------------------------

void* Scheduler::map_shared_rank(const void* address, unsigned rank, Site site) {
  const Cluster& cluster = own_cluster();
  const unsigned own = cluster_rank();
  char sentence[256];
  if (rank >= cluster.blocks()) {
    std::snprintf(sentence, sizeof sentence,
                  "calls map_shared_rank() in %s:%u with rank %u, but its cluster has %u block%s",
                  file_name(site), site.line, rank, cluster.blocks(),
                  cluster.blocks() == 1 ? "" : "s");
    fault(cudaErrorLaunchFailure, sentence);
  }
  auto place = own_place(address, own);
  if (!place) place = cluster.place_of(address);
  if (!place) {
    std::snprintf(sentence, sizeof sentence,
                  "calls map_shared_rank() in %s:%u with an address that is not in shared memory",
                  file_name(site), site.line);
    fault(cudaErrorLaunchFailure, sentence);
  }
  place->rank = rank;
  return rank == own ? own_address(*place) : cluster.address_of(*place);
}

int Scheduler::query_shared_rank(const void* address) {
  const Cluster& cluster = own_cluster();
  auto place = own_place(address, cluster_rank());
  if (!place) place = cluster.place_of(address);
  return place ? static_cast<int>(place->rank) : -1;
}

ClusterShape cluster_shape() {
  const LaunchConfiguration& launch = running_scheduler().configuration();
  const dim3& extent = launch.cluster;
  return {extent,
          {blockIdx.x % extent.x, blockIdx.y % extent.y, blockIdx.z % extent.z},
          launch.has_cluster};
}

void arrive_at_cluster_barrier(Site site) { running_scheduler().arrive_at_cluster_barrier(site); }

void wait_at_cluster_barrier(Site site) { running_scheduler().wait_at_cluster_barrier(site); }

void* map_shared_rank(const void* address, unsigned rank, Site site) {
  return running_scheduler().map_shared_rank(address, rank, site);
}

int query_shared_rank(const void* address) {
  return running_scheduler().query_shared_rank(address);
}

}  // namespace tilelab::emulator
