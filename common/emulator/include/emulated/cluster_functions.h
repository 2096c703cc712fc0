#pragma once

/// What the built-in functions of clusters call.

#include "emulated/site.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// The cluster of the running block. Without clusters, each block is one of its own.
struct ClusterShape {
  dim3 blocks;       ///< Its extent, in blocks.
  dim3 block_index;  ///< Of the running block in the cluster.
  bool is_specified;
};

ClusterShape cluster_shape();
void arrive_at_cluster_barrier(Site site);
void wait_at_cluster_barrier(Site site);
/// Where the block of this rank has what the running block has at that address.
void* map_shared_rank(const void* address, unsigned rank, Site site);
/// The rank of the block whose shared memory the address is in, or -1.
int query_shared_rank(const void* address);

}  // namespace tilelab::emulator
