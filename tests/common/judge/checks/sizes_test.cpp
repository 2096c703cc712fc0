#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "judge/catch.h"
#include "judge/options.h"
#include "judge/sizes/draw_sizes.h"
#include "judge/sizes/observed_sizes.h"

using tilelab::draw_sizes;

namespace {

/// The constants in the submission's text, for the length of a test.
struct Constants {
  explicit Constants(std::vector<std::uint64_t> numbers) {
    tilelab::judge::options().constants = std::move(numbers);
  }
  ~Constants() { tilelab::judge::options().constants.clear(); }
};

/// Draws with another seed.
std::vector<int> drawn_with(std::uint64_t seed, int most, int power = 1) {
  tilelab::judge::options().seed = seed;
  const std::vector<int> sizes = draw_sizes(most, power);
  tilelab::judge::options().seed = 0;
  return sizes;
}

bool contains_all(const std::vector<int>& sizes, const std::vector<int>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](int one) {
    return std::find(sizes.begin(), sizes.end(), one) != sizes.end();
  });
}

}  // namespace

TEST_CASE("one of the sizes is large, and one is of any magnitude") {
  std::vector<int> any;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::vector<int> sizes = drawn_with(seed, 1'000'000);
    REQUIRE(sizes.size() == 5);
    CHECK(sizes[4] > 500'000);
    CHECK(sizes[4] <= 1'000'000);
    CHECK(sizes[3] >= 1);
    CHECK(sizes[3] <= 1'000'000);
    any.push_back(sizes[3]);
  }
  // A third each.
  CHECK(std::count_if(any.begin(), any.end(), [](int n) { return n < 100; }) > 15);
  CHECK(std::count_if(any.begin(), any.end(), [](int n) { return n > 10'000; }) > 15);
}

TEST_CASE("the last of many blocks has one element, is full, or lacks one") {
  const Constants constants({4, 33, 128, 4096});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<int> sizes = drawn_with(seed, 1'000'000);
    for (const int place : {0, 1, 127}) {
      CHECK(std::any_of(sizes.begin(), sizes.end(),
                        [place](int n) { return n > 70'000 && n < 151'000 && n % 128 == place; }));
    }
  }
}

TEST_CASE("a block that the text names is the last whole one") {
  const Constants constants({3, 17, 64, 256});
  tilelab::judge::options().block_constants = {17};
  const std::vector<int> sizes = draw_sizes(1'200, 2);
  tilelab::judge::options().block_constants.clear();
  // Up to 16 times as long as a call with the largest number.
  CHECK(contains_all(sizes, {18 * 256 + 1}));
  CHECK_FALSE(contains_all(draw_sizes(1'200, 2), {18 * 256 + 1}));
}

TEST_CASE("the very number of a constant is drawn nearly always") {
  const Constants constants({256, 54'321});
  int times = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    times += contains_all(drawn_with(seed, 1 << 19), {54'321});
  }
  CHECK(times > 85);
}

TEST_CASE("the same seed draws the same sizes") {
  const Constants constants({7, 400, 80'000});
  CHECK(drawn_with(5, 10'000) == drawn_with(5, 10'000));
  CHECK(drawn_with(5, 10'000) != drawn_with(6, 10'000));
}

TEST_CASE("sizes lie on both sides of a constant") {
  SECTION("large") {
    // A size has to be 402 for an index above 400.
    const Constants constants({400});
    CHECK(contains_all(draw_sizes(10'000), {399, 400, 401, 402}));
  }
  SECTION("1") {
    const Constants constants({1});
    CHECK(contains_all(draw_sizes(10'000), {1, 2, 3}));
  }
}

TEST_CASE("a constant above the usual sizes gets one call, if there is time for it") {
  const Constants constants({7'000, 15'900, 90'000'000'000});
  const std::vector<int> sizes = draw_sizes(1000);
  CHECK(sizes.size() == 4);
  CHECK(contains_all(sizes, {7'002, 15'902}));
  // A call with 7 times the number takes 49 times as long.
  CHECK(draw_sizes(1000, 2).size() == 2);
}

TEST_CASE("calls at very many constants take no longer than at some") {
  std::vector<std::uint64_t> many;
  for (std::uint64_t constant = 1; constant < 300; ++constant) many.push_back(7 * constant);
  const Constants constants(many);
  CHECK(draw_sizes(1'000).size() <= 9);
  // Below the largest number, they take a third as long as it. One is above products.
  int together = 0;
  for (const int size : draw_sizes(10'000)) together += size;
  CHECK(together <= 3'000 + 20'000 + 15'000);
}

TEST_CASE("a constant may be any of the lengths of a size") {
  using Size = std::pair<int, int>;
  const Constants constants({400});
  const std::vector<Size> sizes =
      draw_sizes<Size>({{[](int rows) { return Size(rows, 3); }, 10'000},
                        {[](int columns) { return Size(5, columns); }, 10'000}});
  for (const Size& wanted : {Size(402, 3), Size(5, 402)}) {
    CHECK(std::find(sizes.begin(), sizes.end(), wanted) != sizes.end());
  }
}

TEST_CASE("each of the lengths is large where the others are small") {
  using Size = std::pair<int, int>;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    tilelab::judge::options().seed = seed;
    const std::vector<Size> sizes =
        draw_sizes<Size>({{[](int side) { return Size(side, side); }, 100, 2},
                          {[](int rows) { return Size(rows, 3); }, 10'000},
                          {[](int columns) { return Size(5, columns); }, 20'000}});
    const auto has = [&](auto wanted) { return std::any_of(sizes.begin(), sizes.end(), wanted); };
    CHECK(has([](const Size& size) { return size.first > 1'200 && size.second == 3; }));
    CHECK(has([](const Size& size) { return size.first == 5 && size.second > 2'400; }));
  }
  tilelab::judge::options().seed = 0;
}

TEST_CASE("one size is above all counts of tiles, if there is time for it") {
  const auto is_drawn = [](std::vector<std::uint64_t> numbers, int wanted) {
    const Constants constants(std::move(numbers));
    return contains_all(draw_sizes(1'000, 2), {wanted});
  };
  // The count of tiles passes 9 in the eleventh of them.
  CHECK(is_drawn({9, 128}, 10 * 128 + 2));
  // It is the large one if it is larger.
  CHECK(is_drawn({9, 99}, 10 * 99 + 2));
  CHECK_FALSE(is_drawn({9, 64}, 10 * 64 + 2));
  CHECK_FALSE(is_drawn({9, 256}, 10 * 256 + 2));
}

TEST_CASE("a large size is just above the largest constant that no usual size reaches") {
  CHECK(tilelab::draw_large_sizes(1'000, 10'000).empty());
  const Constants constants({400, 997, 998, 999, 5'000, 9'998, 9'999, 90'000'000'000});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    tilelab::judge::options().seed = seed;
    const std::vector<int> sizes = tilelab::draw_large_sizes(1'000, 10'000);
    CHECK(sizes.front() == 10'000);
    // They take no longer than 1.5 of the largest.
    CHECK(std::accumulate(sizes.begin(), sizes.end(), 0) <= 15'000);
    CHECK(std::all_of(sizes.begin(), sizes.end(), [](int n) { return n > 1'000; }));
  }
  tilelab::judge::options().seed = 0;
  CHECK(tilelab::draw_large_sizes(10'000, 10'000).empty());
}

TEST_CASE("a large size is drawn for each shape") {
  using Size = std::pair<int, int>;
  const Constants constants({600});
  const auto square = [](int side) { return Size(side, side); };
  const auto row = [](int length) { return Size(1, length); };
  const std::vector<Size> sizes = tilelab::draw_large_sizes<Size>(
      {{square, 500, 1'000, 2}, {row, 5'000, 90'000}, {row, 100, 601}, {row, 100, 602}});
  CHECK(sizes == std::vector{Size(602, 602), Size(1, 602)});
}

TEST_CASE("a long size is drawn in any text, or above a product") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    tilelab::judge::options().seed = seed;
    const int drawn = tilelab::draw_long_size(1'000, 10'000);
    CHECK(drawn >= 1'000);
    CHECK(drawn <= 2'000);
  }
  tilelab::judge::options().seed = 0;
  const Constants constants({9, 128, 900});
  CHECK(tilelab::draw_long_size(1'000, 10'000) == 10 * 900 + 2);
  CHECK(tilelab::draw_long_size(1'000, 1'999) <= 2'000);
}

TEST_CASE("only a submission that may count narrowly is called beyond 2^24 elements") {
  CHECK(tilelab::sizes_beyond_narrow_counts().empty());
  tilelab::judge::options().may_count_narrowly = true;
  CHECK(tilelab::sizes_beyond_narrow_counts().at(0) > 1 << 24);
  tilelab::judge::options().may_count_narrowly = false;
}

TEST_CASE("a few blocks are looked at in a call of the usual length, and above constants") {
  const tilelab::LargerSizes larger = {.usual = 1'000, .most = 10'000};
  CHECK(tilelab::draw_larger_numbers(larger).size() == 1);
  {
    const Constants constants({400, 5'000, 9'000, 20'000});
    const std::vector<int> numbers = tilelab::draw_larger_numbers(larger);
    REQUIRE(numbers.size() == 2);
    CHECK((numbers[0] >= 1'000 && numbers[0] <= 1'020));
    CHECK((numbers[1] >= 9'002 && numbers[1] <= 9'022));
  }
  {
    // 1'200 elements in tiles of 40.
    const Constants constants({29, 40});
    CHECK(tilelab::draw_larger_numbers(larger).back() >= 30 * 40 + 2);
  }
  const tilelab::LargerSizes slow = {.usual = 1'000, .most = 10'000, .is_quick = false};
  CHECK(tilelab::draw_larger_numbers(slow).empty());
  const Constants constants({400, 5'000});
  CHECK(tilelab::draw_larger_numbers(slow).front() >= 5'002);
}

TEST_CASE("larger calls may be of whole tiles, and usual ones of whole units") {
  const Constants constants({400, 5'000});
  const tilelab::LargerSizes larger = {.usual = 1'000, .most = 10'000, .multiple = 64};
  CHECK(tilelab::draw_larger_numbers(larger) == std::vector{1'024, 5'056});
  const auto [number, look] = tilelab::draw_observed_size(3, 3, larger, 32);
  CHECK((number == 96 || number == 1'024 || number == 5'056));
  CHECK((look == tilelab::Look::all_blocks) == (number == 96));
}

TEST_CASE("all blocks are looked at in a usual call, and a few in larger ones") {
  static std::vector<int> seen;
  const auto [number, look] = tilelab::draw_observed_size(10, 20, {.usual = 500, .most = 1'000});
  seen.push_back(number);
  if (seen.size() == 1) {
    CHECK((number >= 10 && number <= 20));
    CHECK(look == tilelab::Look::all_blocks);
  } else {
    CHECK(seen.size() == 2);
    CHECK((number >= 500 && number <= 510));
    CHECK(look == tilelab::Look::some_blocks);
  }
}
