#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "estimator/images/images.h"
#include "schema/contents.h"

namespace tilelab::estimator {

using schema::Contents;

/// Where the program's variables lie, one in each 64 KiB.
constexpr std::uint64_t variables = 0x7e0000000000;

/// Whether an address is one of a variable, if there are no more than 256 of them.
constexpr bool is_variable(std::uint64_t address) { return address - variables < 1U << 24U; }

/// An array in global memory.
struct Array {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  Contents contents = Contents::fractions;
  bool is_of_host = false;  ///< Whether it is page-locked memory of the host.
  std::uint64_t salt = 0;   ///< What it holds depends on it, too.
};

/// Which values of global memory count as unknown.
enum class Doubt : std::uint8_t {
  computed,     ///< what an earlier launch computed in a block that was not executed here
  meaningless,  ///< and zeros where the program stores something else before it loads
  all,          ///< everything, to see what depends on any
};

/// Global memory: what was stored, and where nothing was, what images say or made-up contents.
class Memory {
 public:
  explicit Memory(std::vector<Array> arrays) : arrays_(std::move(arrays)) {}

  /// Loads 1, 2 or 4 bytes. More than 4 are loaded word by word.
  std::uint32_t load(std::uint64_t address, int bytes) const;

  void store(std::uint64_t address, std::uint32_t value, int bytes);

  /// The word that an address is in.
  std::uint32_t word(std::uint64_t address) const;

  /// The bytes of the program's constants, which lie in bank 3 of constant memory.
  void set_constants(std::vector<std::uint8_t> bytes) { constants_ = std::move(bytes); }
  /// A word of them. Those that nobody gave are taken to be 0.5.
  std::uint32_t constant(std::uint64_t offset) const;

  /// The table in bank 4 of constant memory, which has the addresses of the program's variables.
  void set_addresses(std::vector<std::uint8_t> bytes) { addresses_ = std::move(bytes); }
  /// The address at an offset in that table. Every variable that nobody gave a place has one of its
  /// own, far from the arrays.
  std::uint64_t address_of_variable(std::uint64_t offset) const;

  /// What memory holds. Nobody knows what is in other arrays.
  void set_images(std::shared_ptr<const Images> images);

  /// Calls `function(address, word)` for each word that was stored, in any order.
  template <class Function>
  void for_each_stored(Function function) const {
    for (const auto& [place, word] : stored_) function(place << 2U, word);
  }

  /// How many words were stored.
  std::size_t count_stored() const { return stored_.size(); }

  const std::vector<Array>& arrays() const { return arrays_; }

  /// The array that an address is in, or -1.
  int array_at(std::uint64_t address) const;

  Doubt doubt = Doubt::computed;

  /// From now on, an array holds what an earlier launch wrote, of which only a part is known.
  void set_computed(int array) { computed_.insert(array); }

  /// From now on, an array that holds more than made-up contents.
  void set_written(int array) { written_.insert(array); }

  /// Whether made-up contents are like the real ones. Then a branch on values that nobody knows
  /// decides nothing if it always goes the same way, like that to the path for a rare argument, and
  /// bank conflicts are as they would be.
  bool trusts_made_up() const { return trusts_made_up_; }

  /// Whether nobody knows a word.
  bool is_unknown(std::uint64_t address) const;

 private:
  std::uint32_t made_up(std::uint64_t address) const;

  std::vector<Array> arrays_;
  std::shared_ptr<const Images> images_;
  std::vector<std::uint8_t> constants_;
  std::vector<std::uint8_t> addresses_;
  std::set<int> computed_{-1};  // what lies in no array is a variable, which a launch computed
  std::set<int> written_;
  bool trusts_made_up_ = true;
  std::unordered_map<std::uint64_t, std::uint32_t> stored_;  // words, by a fourth of the address
};

}  // namespace tilelab::estimator
