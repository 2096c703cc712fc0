#include "judge/checks/differences.h"

#include <span>
#include <utility>
#include <vector>

#include "judge/catch.h"
#include "judge/checks/check.h"

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
  // Of two places, the distance is often a coincidence.
  CHECK(id({5, 133}) == "");
  CHECK(id({128, 256}) == "block_edges");
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

TEST_CASE("a byte that equals the noise by chance was written all the same") {
  using Bytes = std::vector<unsigned char>;
  const auto unwritten = [](const std::vector<Bytes>& noise, const Bytes& values) {
    tilelab::Output<unsigned char> output("out", values.size());
    for (const Bytes& poison : noise) {
      output.add_run(std::as_bytes(std::span(poison)), std::as_bytes(std::span(values)));
    }
    const Bytes expected(values.size(), 0);
    return tilelab::judge::find_differences<unsigned char>(
               output, output.runs().front(), expected,
               [](const auto& a, const auto& b) { return a == b; })
        .unwritten;
  };
  const std::vector<std::size_t> none;
  CHECK(unwritten({{1, 2, 3}, {7, 8, 9}}, {1, 5, 9}) == none);
  CHECK(unwritten({{1, 2, 3}, {1, 8, 9}}, {1, 5, 9}) == std::vector<std::size_t>{0});
  // With one run only, 1 of 16 wrong elements may be chance.
  Bytes noise(16, 3), values(16, 4);
  noise[5] = 4;
  CHECK(unwritten({noise}, values) == none);
  CHECK(unwritten({noise}, noise).size() == 16);
}

TEST_CASE("the stride of block edges is the widest that fits") {
  CHECK_THAT(find_pattern({5000, range(512, 5000, 512), {}}).sentence,
             tilelab::contains("multiple of 512"));
}
