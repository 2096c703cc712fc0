#include "estimator/timing/l2_cache.h"

#include "judge/catch.h"

using namespace tilelab::estimator;

namespace {

constexpr double bytes = 1000 * 128;

/// Loads this many other lines.
void load_others(L2Cache& cache, std::uint64_t lines, double share = 1) {
  for (std::uint64_t i = 0; i < lines; ++i) cache.load(1000 + i, 0b1111, 0, share);
}

}  // namespace

TEST_CASE("DRAM delivers sectors in pairs") {
  CHECK(whole_pairs(0b0000) == 0b0000);
  CHECK(whole_pairs(0b0001) == 0b0011);
  CHECK(whole_pairs(0b1000) == 0b1100);
  CHECK(whole_pairs(0b0110) == 0b1111);
  L2Cache cache(bytes);
  CHECK(cache.load(7, 0b0001, 0, 1) == 2);
  CHECK(cache.load(7, 0b0010, 0, 1) == 0);
  CHECK(cache.load(7, 0b0110, 0, 1) == 2);
}

TEST_CASE("stores do not bring the other sector of a pair") {
  L2Cache cache(bytes);
  CHECK(cache.store(7, 0b0001, 0, 1) == 1);
  CHECK(cache.store(7, 0b0001, 0, 1) == 0);
  CHECK(cache.load(7, 0b0001, 0, 1) == 0);
  CHECK(cache.load(7, 0b0010, 0, 1) == 1);
}

TEST_CASE("what was loaded still has to be written when it is stored") {
  L2Cache cache(bytes);
  CHECK(cache.load(7, 0b1111, 0, 1) == 4);
  CHECK(cache.store(7, 0b1111, 0, 1) == 4);
}

TEST_CASE("a line leaves when as much came in as the cache holds") {
  for (const auto& [others, again] : {std::pair{990, 0}, std::pair{1010, 4}}) {
    L2Cache cache(bytes);
    cache.load(7, 0b1111, 0, 1);
    load_others(cache, static_cast<std::uint64_t>(others));
    CHECK(cache.load(7, 0b1111, 0, 1) == again);
  }
}

TEST_CASE("a line that is used stays") {
  L2Cache cache(bytes);
  cache.load(7, 0b1111, 0, 1);
  load_others(cache, 600);
  CHECK(cache.load(7, 0b1111, 0, 1) == 0);
  for (std::uint64_t i = 0; i < 600; ++i) cache.load(5000 + i, 0b1111, 0, 1);
  CHECK(cache.load(7, 0b1111, 0, 1) == 0);
}

TEST_CASE("what other multiprocessors bring takes no room of this one") {
  L2Cache cache(bytes);
  cache.load(7, 0b1111, 0, 1);
  load_others(cache, 1900, 0.5);
  CHECK(cache.load(7, 0b1111, 0, 1) == 0);
}

TEST_CASE("a line that left is written again when it is stored again") {
  L2Cache cache(bytes);
  cache.store(7, 0b1111, 0, 1);
  load_others(cache, 1010);
  CHECK(cache.store(7, 0b1111, 0, 1) == 4);
}
