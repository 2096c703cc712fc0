#pragma once

#include <cstdint>

#include "emulator/observer/events/event.h"
#include "emulator/runtime/blocks/cluster.h"

/// Compressed addresses in the shared memory of other blocks of the cluster.
namespace tilelab::emulator {

constexpr std::uint32_t cluster_block_bytes = 1 << 23;
constexpr std::uint32_t cluster_dynamic_begin = 1 << 22;

constexpr std::uint32_t compress_cluster_place(const ClusterPlace& place) {
  return space_base::cluster + place.rank * cluster_block_bytes +
         (place.is_dynamic ? cluster_dynamic_begin : 0) + static_cast<std::uint32_t>(place.offset);
}

constexpr bool is_cluster_address(std::uint32_t address) {
  return address >= space_base::cluster && address < space_base::local;
}

constexpr ClusterPlace cluster_place_at(std::uint32_t address) {
  const std::uint32_t offset = address - space_base::cluster;
  const std::uint32_t inside = offset % cluster_block_bytes;
  const bool is_dynamic = inside >= cluster_dynamic_begin;
  return {offset / cluster_block_bytes, is_dynamic,
          is_dynamic ? inside - cluster_dynamic_begin : inside};
}

/// What the block itself has at that place.
constexpr std::uint32_t own_address_of(const ClusterPlace& place) {
  return (place.is_dynamic ? space_base::dynamic : space_base::shared) +
         static_cast<std::uint32_t>(place.offset);
}

/// The place of an address in the running block's own shared memory.
constexpr ClusterPlace own_place_at(std::uint32_t address, unsigned rank) {
  const bool is_dynamic = address >= space_base::dynamic;
  return {rank, is_dynamic, address - (is_dynamic ? space_base::dynamic : space_base::shared)};
}

}  // namespace tilelab::emulator
