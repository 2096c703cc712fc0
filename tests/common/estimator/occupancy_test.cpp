#include "estimator/timing/occupancy.h"

#include "judge/catch.h"

using namespace tilelab::estimator;

namespace {

int resident(std::uint32_t threads, double registers, double shared_bytes, double dynamic = 0) {
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  launch.dynamic_shared_bytes = dynamic;
  return resident_blocks(launch, {registers, shared_bytes}, Gpu{});
}

double cache(int blocks, double shared_bytes) {
  Launch launch;
  launch.grid = launch.block = {1, 1, 1};
  return cache_bytes(launch, {32, shared_bytes}, Gpu{}, blocks);
}

}  // namespace

// The expected numbers are those of NVIDIA's occupancy calculator for compute capability 9.0.
TEST_CASE("warps, blocks, registers and shared memory limit how many blocks are resident") {
  CHECK(resident(256, 32, 0) == 8);
  CHECK(resident(1024, 32, 0) == 2);
  CHECK(resident(32, 32, 0) == 32);
  CHECK(resident(256, 33, 0) == 6);
  CHECK(resident(256, 64, 0) == 4);
  CHECK(resident(128, 255, 0) == 2);
  CHECK(resident(256, 32, 32 * 1024) == 6);
  CHECK(resident(256, 32, 100 * 1024, 100 * 1024) == 1);
}

TEST_CASE("the cache gets what shared memory leaves") {
  CHECK(cache(8, 0) == (256 - 8) * 1024);
  CHECK(cache(8, 7 * 1024) == (256 - 64) * 1024);
  CHECK(cache(8, 8 * 1024) == (256 - 100) * 1024);
  CHECK(cache(1, 227 * 1024) == (256 - 228) * 1024);
}
