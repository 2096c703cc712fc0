#include "judge/checks/figures.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "event_file.h"
#include "judge/calls/random.h"
#include "judge/catch.h"
#include "judge/options.h"

using tilelab::judge::known_figure;

namespace {

/// Has draw_size() go through sizes, for the length of a test.
struct Sweep {
  explicit Sweep(std::uint64_t count) { tilelab::judge::options().sizes_per_draw = count; }
  ~Sweep() { tilelab::judge::options().sizes_per_draw = 0; }
};

}  // namespace

TEST_CASE("a figure is that of the call most like the one at hand") {
  const auto file =
      std::filesystem::temp_directory_path() / ("tilelab-figures-" + std::to_string(getpid()));
  std::ofstream(file) << "diff 1000 1000 loads 1.25\n"
                         "diff 1010 1010 loads 1.5\n"
                         "diff 1000 1000 conflicts 0\n"
                         "other 1000 1000 loads 7\n";
  tilelab::judge::options().figures = file;
  CHECK(known_figure("diff 1000 1000", "loads") == 1.25);
  CHECK(known_figure("diff 1004 1004", "loads") == 1.25);
  CHECK(known_figure("diff 1006 1006", "loads") == 1.5);
  CHECK(known_figure("diff 1000 1000", "conflicts") == 0.0);
  CHECK_FALSE(known_figure("diff 2000 2000", "loads"));
  CHECK_FALSE(known_figure("diff 1000", "loads"));
  CHECK_FALSE(known_figure("diff 1000 1000", "sectors"));
  CHECK_FALSE(known_figure("third 1000 1000", "loads"));
  tilelab::judge::options().figures.clear();
  std::filesystem::remove(file);
}

TEST_CASE("a reported figure has all its digits") {
  const EventFile events;
  tilelab::judge::report_figure("diff 3 3 3", "loads_per_element", 1.0 / 3);
  CHECK_THAT(events.text(), tilelab::contains(R"("call": "diff 3 3 3")"));
  CHECK_THAT(events.text(), tilelab::contains(R"("value": "0.3333333333333333")"));
}

TEST_CASE("a test runs with each combination of the sizes that it draws") {
  static std::set<std::pair<int, int>> seen;
  const Sweep sweep(4);
  seen.emplace(tilelab::draw_size(5, 6), tilelab::draw_size(10, 40));
  if (seen.size() == 8) {
    CHECK(seen == std::set<std::pair<int, int>>{
                      {5, 10}, {5, 20}, {5, 30}, {5, 40}, {6, 10}, {6, 20}, {6, 30}, {6, 40}});
    CHECK(tilelab::draw_size(7, 7) == 7);
  } else {
    CHECK(seen.size() < 8);
  }
}
