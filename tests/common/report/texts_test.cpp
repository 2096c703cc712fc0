#include "report/texts.h"

#include <string>

#include "judge/catch.h"

using namespace tilelab::report;

namespace {

Finding finding_of(int number) {
  Finding finding;
  finding.kind = static_cast<FindingKind>(number);
  finding.has_first = finding.has_second = true;
  return finding;
}

}  // namespace

TEST_CASE("each kind of finding has a row whose words are known") {
  for (int number = 0; number <= static_cast<int>(FindingKind::leak); ++number) {
    CAPTURE(number);
    const Finding finding = finding_of(number);
    CHECK(row_of(finding.kind).kind == finding.kind);
    for (const LineNote& note : {first_note(finding), second_note(finding)}) {
      CHECK(note.word.find('{') == std::string::npos);
      CHECK(note.says.find('{') == std::string::npos);
    }
    CHECK(text_of(finding).find('{') == std::string::npos);
    CHECK(summary_of(finding).find('{') == std::string::npos);
  }
}

TEST_CASE("an element of an array with several dimensions has several indexes") {
  MemoryPlace place{MemorySpace::shared, "tile", 70, 4, 32 * 33};
  CHECK(text_of(place) == "tile[70]");
  place.shape = {32, 33};
  CHECK(text_of(place) == "tile[2][4]");
  place.index = 32 * 33;
  CHECK(text_of(place) == "tile[32][0]");
  place.index = -1;
  CHECK(text_of(place) == "tile[-1]");
  place.shape = {2, 3, 4};
  place.index = 23;
  CHECK(text_of(place) == "tile[1][2][3]");
}

TEST_CASE("an array that is too small for an element has bytes") {
  Finding finding = finding_of(static_cast<int>(FindingKind::out_of_bounds));
  finding.memory = {MemorySpace::global, "d_x", 0, 4};
  CHECK(summary_of(finding).find("but d_x has") == std::string::npos);
  finding.memory.room = 1;
  CHECK(summary_of(finding).find("d_x[0], but d_x has 1 byte") != std::string::npos);
  finding.memory.room = 3;
  CHECK(text_of(finding).find("but d_x has 3 bytes") != std::string::npos);
}

TEST_CASE("what begins in an array and ends behind it says how long it is") {
  Finding finding = finding_of(static_cast<int>(FindingKind::out_of_bounds));
  finding.memory = {MemorySpace::global, "in", 48, 16, 55};
  CHECK(summary_of(finding).find(
            "in[48], but the 16 bytes from there on reach past the 55 elements of in") !=
        std::string::npos);
  finding.memory.index = 55;
  CHECK(summary_of(finding).find("in[55], but in has 55 elements") != std::string::npos);
}

TEST_CASE("a kind that there is not is a fault") {
  const auto no_such = static_cast<int>(FindingKind::leak) + 1;
  CHECK(row_of(finding_of(no_such).kind).kind == FindingKind::fault);
}
