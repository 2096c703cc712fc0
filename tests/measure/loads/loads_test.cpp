// The committed page on loads per element says what the emulator counts.

#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "judge/catch.h"
#include "run_command.h"

namespace {

/// A page, split into its numbers and the text around them.
struct Page {
  std::vector<double> numbers;
  std::string text;

  explicit Page(const std::string& page) {
    static const std::regex number("[0-9]+([.][0-9]+)?");
    for (std::sregex_iterator it(page.begin(), page.end(), number), end; it != end; ++it) {
      numbers.push_back(std::stod(it->str()));
    }
    text = std::regex_replace(page, number, "#");
  }
};

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Another version of the compiler may join an access or two.
constexpr double band = 0.02;

}  // namespace

TEST_CASE("the page on loads per element says what the emulator counts") {
  const CommandResult printed = run_command(PROGRAM);
  INFO(printed.output);
  REQUIRE(printed.status == 0);
  const Page now(printed.output), committed(content(PAGE));
  INFO("Write it anew: ./tilelab measure loads");
  REQUIRE(committed.text == now.text);
  for (std::size_t i = 0; i < now.numbers.size(); ++i) {
    INFO("number " << i << " of the page");
    CHECK(std::abs(committed.numbers[i] - now.numbers[i]) <= band * now.numbers[i]);
  }
}
