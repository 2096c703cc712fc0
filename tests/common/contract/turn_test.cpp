#include "contract/turn.h"

#include "judge/catch.h"

using namespace tilelab;

TEST_CASE("one element of each block changes, and makes no sample") {
  const turn::Array two{0, sizeof(float), 2};
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    CHECK(turn::changes(seed, two, 0) != turn::changes(seed, two, 1));
  }
  CHECK_FALSE(turn::is_kept_first(two));
}

TEST_CASE("the only element of an array makes a sample before it changes") {
  const turn::Array one{0, sizeof(float), 1};
  CHECK(turn::is_kept_first(one));
  CHECK_FALSE(turn::changes(1, one, 0));
  CHECK(turn::change_of(1, one, 0).at == 0);
}
