#pragma once

/// Thread-block clusters: the built-in functions that CUDA has for them.

#include "device_launch_parameters.h"
#include "emulated/barriers.h"
#include "emulated/cluster_functions.h"
#include "emulated/site.h"
#include "vector_types.h"

namespace tilelab::emulator {

inline unsigned cluster_block_rank() {
  const ClusterShape shape = cluster_shape();
  return shape.block_index.x +
         shape.blocks.x * (shape.block_index.y + shape.blocks.y * shape.block_index.z);
}

inline unsigned cluster_block_count() {
  const dim3 blocks = cluster_shape().blocks;
  return blocks.x * blocks.y * blocks.z;
}

/// Which cluster of the grid it is.
inline dim3 cluster_index() {
  const dim3 blocks = cluster_shape().blocks;
  return {blockIdx.x / blocks.x, blockIdx.y / blocks.y, blockIdx.z / blocks.z};
}

inline dim3 clusters_in_grid() {
  const dim3 blocks = cluster_shape().blocks;
  return {gridDim.x / blocks.x, gridDim.y / blocks.y, gridDim.z / blocks.z};
}

}  // namespace tilelab::emulator

inline unsigned __clusterDimIsSpecified() {
  return tilelab::emulator::cluster_shape().is_specified;
}
inline dim3 __clusterDim() { return tilelab::emulator::cluster_shape().blocks; }
inline dim3 __clusterRelativeBlockIdx() { return tilelab::emulator::cluster_shape().block_index; }
inline dim3 __clusterGridDimInClusters() { return tilelab::emulator::clusters_in_grid(); }
inline dim3 __clusterIdx() { return tilelab::emulator::cluster_index(); }
inline unsigned __clusterRelativeBlockRank() { return tilelab::emulator::cluster_block_rank(); }
inline unsigned __clusterSizeInBlocks() { return tilelab::emulator::cluster_block_count(); }

inline void __cluster_barrier_arrive(
    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::arrive_at_cluster_barrier(site);
}
inline void __cluster_barrier_arrive_relaxed(
    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::arrive_at_cluster_barrier(site);
}
inline void __cluster_barrier_wait(
    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  tilelab::emulator::wait_at_cluster_barrier(site);
}

inline void* __cluster_map_shared_rank(
    const void* address, unsigned rank,
    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::map_shared_rank(address, rank, site);
}
inline unsigned __cluster_query_shared_rank(const void* address) {
  return static_cast<unsigned>(tilelab::emulator::query_shared_rank(address));
}
inline unsigned __isClusterShared(const void* address) {
  return tilelab::emulator::query_shared_rank(address) >= 0;
}
inline unsigned __isCtaShared(const void* address) {
  return tilelab::emulator::query_shared_rank(address) ==
         static_cast<int>(tilelab::emulator::cluster_block_rank());
}
inline unsigned __isShared(const void* address) { return __isCtaShared(address); }
inline void __threadfence_cluster() { __threadfence(); }
