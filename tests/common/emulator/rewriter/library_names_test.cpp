// The names of libraries that the rewriter knows are those of the headers that it reads.

#include "library_names.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "judge/catch.h"
#include "run_command.h"

using namespace tilelab::rewriter;

namespace {

struct Words {
  std::set<std::string> files;
  std::set<std::string> of_emulator;  ///< In the headers that define what kernels call.
};

/// What the preprocessor makes of a program that includes the headers which the rules are about.
Words preprocessed_words() {
  const TemporaryFolder folder;
  const std::string source = folder.write(
      "source.cu", "#include <cmath>\n#include <cstdlib>\n#include <cuda_runtime.h>\n");
  const auto result =
      run_command(std::string(COMPILER) + " -std=c++20 -D__CUDACC__ -E -x c++ -isystem " +
                  EMULATOR_INCLUDE + " " + source);
  REQUIRE(result.status == 0);
  const std::regex marker("# [0-9]+ \"(.*)\".*"), word("[A-Za-z_]\\w*");
  Words found;
  std::string file;
  std::istringstream text(result.output);
  for (std::string line; std::getline(text, line);) {
    if (std::smatch match; std::regex_match(line, match, marker)) {
      found.files.insert(file = match[1]);
    } else if (file.find("/emulated/") != std::string::npos) {
      found.of_emulator.insert(std::sregex_token_iterator(line.begin(), line.end(), word), {});
    }
  }
  return found;
}

}  // namespace

TEST_CASE("the headers have the names by which the rewriter knows where code runs") {
  const Words found = preprocessed_words();
  for (const std::string_view name : library::device_functions) {
    CAPTURE(name);
    CHECK(found.of_emulator.contains(std::string(name)));
  }
  for (const std::string_view prefix : library::device_prefixes) {
    CAPTURE(prefix);
    const auto first = found.of_emulator.lower_bound(std::string(prefix));
    CHECK((first != found.of_emulator.end() && first->starts_with(prefix)));
  }
  for (const std::string_view header : library::headers_for_both) {
    CAPTURE(header);
    CHECK(std::ranges::any_of(found.files, [&](const std::string& file) {
      return file.find(header) != std::string::npos;
    }));
  }
}
