#include "judge/calls/values.h"

#include "judge/catch.h"

using tilelab::judge::show;

TEST_CASE("numbers are shown with all digits that tell them apart") {
  CHECK(show(-3) == "-3");
  CHECK(show(0.1f) == "0.100000001");
  CHECK(show(0.1f) != show(0.10000002f));
}

TEST_CASE("bytes are shown as numbers") {
  CHECK(show(static_cast<unsigned char>(200)) == "200");
  CHECK(show(static_cast<signed char>(-7)) == "-7");
  CHECK(show('A') == "65");
  CHECK(show(true) == "1");
  CHECK(show(uchar4{1, 10, 100, 255}) == "(1, 10, 100, 255)");
}

TEST_CASE("vectors are shown member by member") {
  CHECK(show(float3{1, 2, 0.5f}) == "(1, 2, 0.5)");
  CHECK(show(float4{1, 2, 3, 4}) == "(1, 2, 3, 4)");
}
