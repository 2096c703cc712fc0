#include "judge/options.h"

#include <stdexcept>

#include "judge/catch.h"

namespace {

tilelab::judge::Options parse(std::vector<std::string> words, std::vector<char*>& for_catch) {
  words.insert(words.begin(), "judge");
  static std::vector<std::string> kept;
  kept = std::move(words);
  std::vector<char*> arguments;
  for (std::string& word : kept) arguments.push_back(word.data());
  return tilelab::judge::parse_options(static_cast<int>(arguments.size()), arguments.data(),
                                       for_catch);
}

tilelab::judge::Options parse(std::vector<std::string> words) {
  std::vector<char*> for_catch;
  return parse(std::move(words), for_catch);
}

}  // namespace

TEST_CASE("the judge's options come first and Catch2's after --") {
  std::vector<char*> for_catch;
  const auto options = parse({"--seed", "18446744073709551615", "--worker", "submission=/a=b",
                              "--memory-limit", "3", "--", "[speed]"},
                             for_catch);
  CHECK(options.seed == 18446744073709551615u);
  CHECK(options.workers.at("submission") == "/a=b");
  CHECK(options.memory_limit == 3 << 20);
  REQUIRE(for_catch.size() == 2);
  CHECK(std::string(for_catch[1]) == "[speed]");
}

TEST_CASE("constants come with commas in between") {
  CHECK(parse({"--constants", "7,400,80000"}).constants ==
        std::vector<std::uint64_t>{7, 400, 80'000});
  CHECK_THROWS_AS(parse({"--constants", "7,x"}), std::invalid_argument);
}

TEST_CASE("a seed that was not given is drawn anew") { CHECK(parse({}).seed != parse({}).seed); }

TEST_CASE("bad options are refused with a sentence") {
  CHECK_THROWS_AS(parse({"--seed", "12x"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--seed"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--time-limit", "0"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--time-limit", "nan"}), std::invalid_argument);
  CHECK_THROWS_AS(parse({"--worker", "program"}), std::invalid_argument);
  CHECK_THROWS_WITH(parse({"--colour", "red"}), tilelab::contains("unknown option"));
}
