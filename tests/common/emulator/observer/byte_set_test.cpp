// A set of addresses forgets what it is told to, wherever that lies.

#include "emulator/observer/memory/byte_set.h"

#include <vector>

#include "judge/catch.h"

using tilelab::emulator::ByteSet;

namespace {

constexpr std::uint32_t far_away = 0x70000000;

std::vector<std::uint32_t> begins_of(const ByteSet& set) {
  std::vector<std::uint32_t> result;
  for (const ByteSet::Word& word : set.members()) result.push_back(word.begin);
  return result;
}

}  // namespace

TEST_CASE("a set of bytes has its members in order, however far apart they are") {
  ByteSet set(0x80000000);
  set.add(far_away, 4);
  set.add(8, 4);
  set.add(8, 8);
  set.add_range((1 << 16) - 2, 66);  // over the edge of a part and of a word
  CHECK(set.count() == 4 + 8 + 66);
  CHECK(begins_of(set) == std::vector<std::uint32_t>{0, (1 << 16) - 64, 1 << 16, far_away});
  CHECK(set.contains(far_away, 4));
  CHECK_FALSE(set.contains(far_away, 8));
  CHECK(set.missing((1 << 16) - 3, 68).bytes == 2);
}

TEST_CASE("a set of bytes that was cleared is empty, and can be filled again") {
  ByteSet set(0x80000000);
  set.add(8, 4);
  set.add_range(far_away - 100, 200);
  set.clear();
  CHECK(set.count() == 0);
  CHECK(set.members().empty());
  CHECK_FALSE(set.contains(8, 4));
  CHECK(set.missing(far_away - 100, 200).bytes == 200);

  set.add_word({far_away, 3});
  set.remove_range(far_away, 1);
  CHECK(set.count() == 1);
  CHECK(begins_of(set) == std::vector{far_away});
  set.clear();
  CHECK(set.members().empty());
}
