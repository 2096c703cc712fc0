#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schema/contents.h"

namespace tilelab::emulator {

/// Runs some blocks of the launches of a recording, on arrays that hold what estimates take them to
/// hold, and finds what they change (recording.h).
class Trial {
 public:
  /// @param words  for each launch a word, with the numbers of its blocks and commas between
  explicit Trial(const std::string& words);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Fills a new array. Device memory must be open.
  void array(std::byte* begin, std::size_t bytes, schema::Contents contents);

  /// Those of the next launch.
  const std::vector<std::uint64_t>& next_blocks();

  /// Neighboring words that changed.
  struct Change {
    const std::byte* begin;
    std::size_t bytes;
  };
  /// What changed since the last call. Device memory must be open.
  std::vector<Change> changes();

 private:
  /// An array, and a copy of it that is as old as the last call of changes().
  struct Watched {
    std::byte* begin;
    std::byte* copy;
    std::size_t bytes;  ///< Of whole words.
  };

  std::vector<std::vector<std::uint64_t>> blocks_;
  std::size_t launches_ = 0;
  std::vector<Watched> arrays_;
  std::uint64_t next_place_;
};

}  // namespace tilelab::emulator
