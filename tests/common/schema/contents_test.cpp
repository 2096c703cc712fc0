#include "schema/contents.h"

#include <map>

#include "judge/catch.h"

using namespace tilelab::schema;

namespace {

constexpr std::uint64_t begin = 0x7f0000001200;
constexpr std::size_t bytes = std::size_t{1} << 28U;

float float_at(Contents contents, std::uint64_t address) {
  return std::bit_cast<float>(made_up_word(contents, address, 3));
}

std::map<std::size_t, std::uint32_t> words_of(Contents contents, std::size_t count,
                                              std::uint64_t salt) {
  std::map<std::size_t, std::uint32_t> made;
  for_each_made_up_word(contents, begin, count, salt,
                        [&](std::size_t at, std::uint32_t word) { made[at] = word; });
  return made;
}

}  // namespace

TEST_CASE("what is made up depends on the salt") {
  for (const Contents contents : {Contents::bits, Contents::fractions}) {
    CHECK(made_up_word(contents, begin, 1) != made_up_word(contents, begin, 2));
    CHECK(words_of(contents, 8, 1).at(4) == made_up_word(contents, begin + 4, 1));
  }
}

TEST_CASE("zeros with a salt have few exceptions, at places that depend on it") {
  CHECK(words_of(Contents::zeros, bytes, 0).empty());
  CHECK(words_of(Contents::scratch, bytes, 1).empty());
  const auto exceptions = words_of(Contents::zeros, bytes, 1);
  CHECK(!exceptions.empty());
  CHECK(exceptions.size() < 50);
  CHECK(exceptions != words_of(Contents::zeros, bytes, 2));
  for (const auto& [at, word] : exceptions) {
    CHECK(word != 0);
    CHECK(made_up_word(Contents::zeros, begin + at, 1) == word);
    CHECK(made_up_word(Contents::zeros, begin + at + 4, 1) == 0);
  }
}

TEST_CASE("fractions are from 0 to 1, and units whole and not 0") {
  std::map<float, int> units;
  for (std::uint64_t address = begin; address < begin + 4000; address += 4) {
    const float fraction = float_at(Contents::fractions, address);
    CHECK((fraction >= 0 && fraction < 1));
    ++units[float_at(Contents::units, address)];
  }
  CHECK(units.size() == 4);
  for (const float unit : {-2.0f, -1.0f, 1.0f, 2.0f}) CHECK(units[unit] > 200);
}
