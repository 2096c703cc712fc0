#include "judge/checks/differences.h"

#include <utility>

#include "judge/catch.h"

using tilelab::judge::Differences;
using tilelab::judge::find_pattern;

namespace {

std::vector<std::size_t> range(std::size_t first, std::size_t end, std::size_t step = 1) {
  std::vector<std::size_t> indices;
  for (std::size_t i = first; i < end; i += step) indices.push_back(i);
  return indices;
}

}  // namespace

TEST_CASE("a pattern is named after what the wrong elements have in common") {
  const auto id = [](std::vector<std::size_t> wrong) {
    return find_pattern({1000, std::move(wrong), {}}).id;
  };
  CHECK(id(range(0, 1000)) == "all_wrong");
  CHECK(id({0}) == "first_wrong");
  CHECK(id(range(256, 1000, 256)) == "block_edges");
  CHECK(id(range(31, 1000, 32)) == "block_edges");
  CHECK(id(range(900, 1000)) == "tail_wrong");
  CHECK(id({3, 500, 517}) == "");
}

TEST_CASE("elements that were never written are told from wrong ones") {
  const auto id = [](const std::vector<std::size_t>& unwritten) {
    return find_pattern({1000, unwritten, unwritten}).id;
  };
  CHECK(id(range(0, 1000)) == "never_written");
  CHECK(id(range(768, 1000)) == "tail_unwritten");
  CHECK(id({0}) == "first_unwritten");
  CHECK(id({5, 77}) == "some_unwritten");
}

TEST_CASE("the stride of block edges is the widest that fits") {
  CHECK_THAT(find_pattern({5000, range(512, 5000, 512), {}}).sentence,
             tilelab::contains("multiple of 512"));
}
