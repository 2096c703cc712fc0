#include "judge/checks/errors.h"

#include <vector_types.h>

#include <cmath>
#include <limits>

#include "judge/catch.h"

using tilelab::judge::Errors;
using tilelab::judge::is_rounded;

TEST_CASE("errors are the root of the mean square, and the largest difference") {
  Errors errors;
  errors.add(4.0f, 3.0f);
  errors.add(float3{2, 3, 4}, float3{9, 8, -1});
  CHECK(errors.largest() == 7);
  CHECK(errors.rms() == 5);
  errors.add(std::numeric_limits<float>::quiet_NaN(), 1.0f);
  CHECK(std::isnan(errors.largest()));
}

TEST_CASE("only floats are rounded") {
  CHECK(is_rounded<float>());
  CHECK(is_rounded<float4>());
  CHECK_FALSE(is_rounded<int>());
}
