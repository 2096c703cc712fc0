#include "judge/checks/finding_message.h"

#include "judge/catch.h"

namespace {

using namespace tilelab::report;
using tilelab::judge::message_of;

Finding race(MemorySpace space, AccessKind first, AccessKind second) {
  Finding finding;
  finding.kind = FindingKind::data_race;
  finding.memory = {space, "tile", 3, 4, 256};
  finding.has_first = finding.has_second = true;
  finding.first.kind = first;
  finding.second.kind = second;
  return finding;
}

Finding beyond(std::string name, Index3 thread) {
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.memory = {MemorySpace::shared, std::move(name), 256, 4, 256};
  finding.has_first = true;
  finding.first.thread = thread;
  return finding;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a race in global memory is told from one in a tile") {
  const auto variant = [](MemorySpace space) {
    return message_of(race(space, AccessKind::store, AccessKind::load)).variant;
  };
  CHECK(variant(MemorySpace::global) == "global");
  CHECK(variant(MemorySpace::shared) == "");
}

TEST_CASE("two asynchronous copies into one slot are told from a copy and a read") {
  Finding copies = race(MemorySpace::shared, AccessKind::store, AccessKind::store);
  CHECK(message_of(copies).variant == "");
  copies.sentence = "the asynchronous copy may still be under way";
  CHECK(message_of(copies).variant == "two_writes");
  copies.second.kind = AccessKind::load;
  CHECK(message_of(copies).variant == "");
}

TEST_CASE("a thread past the end of an array tells that the block is larger") {
  const auto large = message_of(beyond("tile", {256, 0, 0}));
  CHECK(large.variant == "large_block");
  CHECK(contains(large.summary, "but tile has 256 elements, and the block is larger."));
  const auto wrong = message_of(beyond("tile", {255, 0, 0}));
  CHECK(wrong.variant == "");
  CHECK(contains(wrong.summary, "but tile has 256 elements."));
}

TEST_CASE("an array without a name is dynamic shared memory") {
  CHECK(message_of(beyond("", {0, 0, 0})).variant == "dynamic");
}

TEST_CASE("a read of an array that nobody filled is another mistake than one of a tile") {
  Finding read;
  read.kind = FindingKind::uninitialized_read;
  read.memory = {MemorySpace::global, "out", 0, 4, 1};
  CHECK(message_of(read).variant == "global");
  read.memory.space = MemorySpace::shared;
  CHECK(message_of(read).variant.empty());
}

TEST_CASE("threads that end before a barrier are named where a slot was not filled") {
  Finding read;
  read.kind = FindingKind::uninitialized_read;
  read.memory = {MemorySpace::shared, "tile", 60, 4, 256};
  read.has_first = true;
  read.first.block = {2, 0, 0};
  Finding left;
  left.kind = FindingKind::skipped_barrier;
  left.memory.index = 108;
  left.memory.bytes = 128;
  left.has_first = true;
  left.first.block = {2, 0, 0};

  auto message = message_of(read);
  add_threads_that_left(message, read, {read, left});
  CHECK(message.pattern == "divergent_barrier");
  CHECK(contains(message.summary, "108 of the block's 128 threads end before the barrier."));

  left.first.block = {1, 0, 0};
  message = message_of(read);
  add_threads_that_left(message, read, {read, left});
  CHECK(message.pattern == "uninitialized_read");
}
