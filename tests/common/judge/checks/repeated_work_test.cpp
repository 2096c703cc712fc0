#include "judge/repeated_work.h"

#include "judge/catch.h"

namespace {

using tilelab::judge::explain_time;
using tilelab::judge::Message;
using tilelab::judge::note_stores;

/// Notes a call whose 12 blocks of 256 threads stored each of 3000 ints this many times.
void note(std::uint64_t times) {
  tilelab::report::LaunchReport launch;
  launch.kernel = "diff_kernel";
  launch.block = {256, 1, 1};
  launch.blocks = 12;
  launch.distinct_global_bytes_stored = 3000 * sizeof(int);
  launch.totals.global_stores.bytes_requested = times * launch.distinct_global_bytes_stored;
  tilelab::judge::Observation observation;
  observation.call = "diff(int[3000], int[3000], 3000)";
  observation.report.launches.push_back(launch);
  note_stores(observation);
}

Message explained(const std::string& pattern) {
  Message message("diff(int[9], 9) did not finish within 1 s. At that time it ran.", pattern);
  message.summary = "diff did not finish within 1 s. At that time it ran.";
  explain_time(message);
  return message;
}

constexpr const char* before = "Before, in diff(int[3000], int[3000], 3000), kernel diff_kernel ";

}  // namespace

// What was noted stays, so this is one test: each call stores more often than the one before.
TEST_CASE("a call that takes too long is explained by threads that do the same work") {
  note(1);
  note(7);
  CHECK(explained("out_of_time").pattern == "out_of_time");
  CHECK(explained("out_of_time").summary == "diff did not finish within 1 s. At that time it ran.");

  const std::string late = "diff did not finish within 1 s. " + std::string(before);
  note(12);
  CHECK(explained("out_of_time").summary ==
        late +
            "stored each element 12 times on average, as often as there are blocks. Does each of "
            "them do all the work?");
  note(100);
  CHECK(explained("out_of_time").summary == late + "stored each element 100 times on average.");
  note(256);
  CHECK(explained("out_of_time").summary ==
        late +
            "stored each element 256 times on average, as often as a block has threads. Does each "
            "of them do all the work?");
  note(12 * 256);
  const Message message = explained("out_of_time");
  CHECK(message.summary ==
        late +
            "stored each element 3072 times on average, as often as there are threads. Does each "
            "of them do all the work?");
  CHECK(message.sentence.find("diff(int[9], 9) did not finish within 1 s. Before, in ") == 0);
  CHECK(message.pattern == "repeated_work");

  note(20);  // the one that says most stays
  CHECK(explained("out_of_time").summary == message.summary);
  CHECK(explained("data_race").pattern == "data_race");
}
