#include "judge/calls/values.h"

#include "judge/catch.h"

using tilelab::judge::show;

TEST_CASE("numbers are shown with all digits that tell them apart") {
  CHECK(show(-3) == "-3");
  CHECK(show(0.1f) == "0.100000001");
  CHECK(show(0.1f) != show(0.10000002f));
}

TEST_CASE("vectors are shown member by member") {
  CHECK(show(float3{1, 2, 0.5f}) == "(1, 2, 0.5)");
  CHECK(show(float4{1, 2, 3, 4}) == "(1, 2, 3, 4)");
}
