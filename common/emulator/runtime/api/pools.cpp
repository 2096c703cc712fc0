#include "emulator/runtime/api/pools.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"

struct CUmemPoolHandle_st {
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;
  std::uint64_t used = 0;
  std::uint64_t most_used = 0;
};

namespace tilelab::emulator {
namespace {

CUmemPoolHandle_st& default_pool() {
  static auto* pool = new CUmemPoolHandle_st;
  return *pool;
}

std::unordered_map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>>& created_pools() {
  static auto* pools = new std::unordered_map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>>;
  return *pools;
}

cudaMemPool_t& current_pool() {
  static cudaMemPool_t pool = &default_pool();
  return pool;
}

struct PoolBlock {
  cudaMemPool_t pool;
  std::size_t bytes;
};

std::unordered_map<const void*, PoolBlock>& blocks() {
  static auto* map = new std::unordered_map<const void*, PoolBlock>;
  return *map;
}

bool is_pool(cudaMemPool_t pool) {
  return pool == &default_pool() || created_pools().contains(pool);
}

bool has_64_bits(cudaMemPoolAttr attribute) { return attribute >= cudaMemPoolAttrReleaseThreshold; }

bool is_attribute(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolAttrUsedMemHigh;
}

std::uint64_t value_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return pool->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return pool->most_used;
    default:
      break;
  }
  const auto found = pool->attributes.find(attribute);
  if (found != pool->attributes.end()) return found->second;
  return has_64_bits(attribute) ? 0 : 1;  // reuse is allowed, and nothing is kept
}

cudaError_t set(cudaMemPool_t pool, cudaMemPoolAttr attribute, std::uint64_t value) {
  if (attribute == cudaMemPoolAttrReservedMemCurrent ||
      attribute == cudaMemPoolAttrUsedMemCurrent) {
    return cudaErrorInvalidValue;
  }
  if (attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh) {
    if (value != 0) return cudaErrorInvalidValue;  // these can only be reset
    pool->most_used = pool->used;
    return cudaSuccess;
  }
  pool->attributes[attribute] = value;
  return cudaSuccess;
}

}  // namespace

void note_pool_block(const void* block, std::size_t bytes) {
  const cudaMemPool_t pool = current_pool();
  blocks()[block] = {pool, bytes};
  pool->used += bytes;
  pool->most_used = std::max(pool->most_used, pool->used);
}

std::size_t bytes_of_pool_block(const void* block) {
  const auto found = blocks().find(block);
  return found != blocks().end() ? found->second.bytes : 0;
}

bool has_pool_blocks() { return !blocks().empty(); }

void forget_pool_block(const void* block) {
  const auto found = blocks().find(block);
  if (found == blocks().end()) return;
  if (is_pool(found->second.pool)) found->second.pool->used -= found->second.bytes;
  blocks().erase(found);
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    return answer(pool, &default_pool());
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    return answer(pool, current_pool());
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api_call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!is_pool(pool)) return cudaErrorInvalidValue;
    current_pool() = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api_call([&] {
    if (!can_answer(pool) || properties == nullptr ||
        properties->allocType != cudaMemAllocationTypePinned) {
      return cudaErrorInvalidValue;
    }
    if (properties->handleTypes != cudaMemHandleTypeNone) {
      return explained(cudaErrorNotSupported, "Emulated memory is not shared between processes");
    }
    auto made = std::make_unique<CUmemPoolHandle_st>();
    *pool = made.get();
    created_pools().emplace(*pool, std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api_call([&] {
    if (pool == current_pool()) current_pool() = &default_pool();
    return created_pools().erase(pool) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return api_call([&] { return is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_call([&] {
    if (!is_pool(pool) || value == nullptr || !is_attribute(attribute))
      return cudaErrorInvalidValue;
    return set(pool, attribute,
               has_64_bits(attribute) ? *static_cast<std::uint64_t*>(value)
                                      : static_cast<std::uint64_t>(*static_cast<int*>(value)));
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_call([&] {
    if (!is_pool(pool) || !is_attribute(attribute)) return cudaErrorInvalidValue;
    if (has_64_bits(attribute)) {
      auto* const number = static_cast<std::uint64_t*>(value);
      if (!can_answer(number)) return cudaErrorInvalidValue;
      *number = value_of(pool, attribute);
    } else {
      auto* const number = static_cast<int*>(value);
      if (!can_answer(number)) return cudaErrorInvalidValue;
      *number = static_cast<int>(value_of(pool, attribute));
    }
    return cudaSuccess;
  });
}

/// There is one device, which can always use its own memory.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                 std::size_t count) {
  return api_call([&] {
    if (!is_pool(pool) || (descriptions == nullptr && count > 0)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const cudaMemAccessDesc& one = descriptions[i];
      if (one.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (one.location.id != 0) return cudaErrorInvalidDevice;
      if (one.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return api_call([&] {
    if (!is_pool(pool) || location == nullptr || !can_answer(flags)) return cudaErrorInvalidValue;
    const bool is_ours = location->type == cudaMemLocationTypeDevice && location->id == 0;
    *flags = is_ours ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api_call([&] {
    if (!is_pool(pool)) return cudaErrorInvalidValue;
    const cudaMemPool_t before = std::exchange(current_pool(), pool);
    const cudaError_t error = cudaMallocAsync(pointer, bytes, stream);
    current_pool() = before;
    return error;
  });
}

}  // extern "C"
