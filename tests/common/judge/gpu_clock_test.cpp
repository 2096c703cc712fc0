#include "judge/speed/gpu_clock.h"

#include "judge/catch.h"

using namespace tilelab::judge;

TEST_CASE("a sample at a far lower clock is worth nothing") {
  CHECK_FALSE(is_slowed({1980, false}, 1980));
  CHECK_FALSE(is_slowed({1800, false}, 1980));
  CHECK(is_slowed({1500, false}, 1980));
  CHECK(is_slowed({1980, true}, 1980));
}

TEST_CASE("an unknown clock slows nothing down") {
  const ClockReading nowhere = GpuClock("").read();
  CHECK(nowhere.sm_mhz == 0);
  CHECK_FALSE(is_slowed(nowhere, 0));
  CHECK(GpuClock("ffff:ff:1f.0").read().sm_mhz == 0);
  CHECK(GpuClock("").read_in(0.001).get().sm_mhz == 0);
}
