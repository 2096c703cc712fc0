#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schema/array_places.h"
#include "schema/contents.h"

namespace tilelab::emulator {

/// Runs blocks of the launches of a recording, on arrays that hold what estimates take them to
/// hold, and finds what they change (recording.h).
class Trial {
 public:
  /// @param words  for each launch a word, with the numbers of its blocks and commas between; or
  ///               "all"
  /// @param salt   what arrays hold depends on it
  Trial(const std::string& words, std::uint64_t salt);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Fills a new array. Device memory must be open.
  void array(std::byte* begin, std::size_t bytes, schema::Contents contents);

  /// From here on, nothing in the process says what is made up.
  void forget_salt() { salt_ = 0; }

  /// Whether all blocks run.
  bool runs_all() const { return runs_all_; }
  /// Those of the next launch, unless all run.
  const std::vector<std::uint64_t>& next_blocks();

  /// Neighboring words of an array.
  struct Words {
    const std::byte* begin;
    std::size_t bytes;
  };
  /// What changed since the last call. Device memory must be open.
  std::vector<Words> changes();
  /// The next words, a page at most, from where estimates have this address. There may be none.
  Words words_at(std::uint64_t address) const;

 private:
  /// An array, and a copy of it that is as old as the last call of changes().
  struct Watched {
    std::byte* begin;
    std::byte* copy;
    std::size_t bytes;    ///< Of whole words.
    std::uint64_t place;  ///< Where estimates have it.
  };

  std::uint64_t salt_;
  bool runs_all_;
  std::vector<std::vector<std::uint64_t>> blocks_;
  std::size_t launches_ = 0;
  std::vector<Watched> arrays_;
  schema::ArrayPlaces places_;
};

}  // namespace tilelab::emulator
