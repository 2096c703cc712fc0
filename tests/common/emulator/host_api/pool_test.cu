// Memory pools, and what ties a device to others.

#include <cstdint>

#include "device.h"

namespace {

std::uint64_t number_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  REQUIRE(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("a pool counts what is allocated from it") {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  int* numbers = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&numbers, 4000, pool, nullptr) == cudaSuccess);
  REQUIRE(cudaMemset(numbers, 0, 4000) == cudaSuccess);
  REQUIRE(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == 4000);
  REQUIRE(cudaFreeAsync(numbers, nullptr) == cudaSuccess);
  REQUIRE(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  REQUIRE(number_of(pool, cudaMemPoolAttrUsedMemHigh) == 4000);
  std::uint64_t zero = 0;
  REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess);
  REQUIRE(number_of(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  REQUIRE(cudaMemPoolDestroy(pool) == cudaSuccess);
  REQUIRE(cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("the device has a pool, whose threshold is remembered") {
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  REQUIRE(number_of(pool, cudaMemPoolAttrReleaseThreshold) == 0);
  std::uint64_t threshold = 1 << 20;
  REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) ==
          cudaSuccess);
  REQUIRE(number_of(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
  threshold = 0;
  REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) ==
          cudaSuccess);
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaErrorInvalidDevice);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("there are no peers and no other processes") {
  int value = 0;
  REQUIRE(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) ==
          cudaErrorInvalidDevice);
  cudaIpcMemHandle_t handle{};
  REQUIRE(cudaIpcGetMemHandle(&handle, nullptr) == cudaErrorNotSupported);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a stream remembers its attributes") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  REQUIRE(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
          cudaSuccess);
  value = {};
  REQUIRE(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
          cudaSuccess);
  REQUIRE(value.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
}
