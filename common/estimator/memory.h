#pragma once

#include <cstdint>
#include <cstring>
#include <set>
#include <unordered_map>
#include <vector>

namespace tilelab::estimator {

/// What an array holds before the first launch.
enum class Contents : std::uint8_t { zeros, fractions, bits };

/// An array in global memory.
struct Array {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  Contents contents = Contents::fractions;
};

/// Global memory: what was stored, and made-up contents where nothing was.
class Memory {
 public:
  explicit Memory(std::vector<Array> arrays) : arrays_(std::move(arrays)) {}

  /// The word at a multiple of 4 bytes.
  std::uint32_t word(std::uint64_t address) const {
    const auto found = stored_.find(address >> 2U);
    return found != stored_.end() ? found->second : made_up(address);
  }

  void store(std::uint64_t address, std::uint32_t value) { stored_[address >> 2U] = value; }

  const std::vector<Array>& arrays() const { return arrays_; }

  /// Takes every value for unknown, to see what depends on any.
  bool all_is_unknown = false;

  /// From now on, an array holds what an earlier launch wrote, of which only a part is known.
  void set_computed(int array) { computed_.insert(array); }
  bool is_computed(int array) const { return computed_.contains(array); }

  /// Whether nobody knows the word, because an earlier launch computed it in a block that was not
  /// executed here.
  bool is_unknown(std::uint64_t address) const {
    return all_is_unknown || (is_computed(array_at(address)) && !stored_.contains(address >> 2U));
  }

  /// The array that an address is in, or -1.
  int array_at(std::uint64_t address) const {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (address - arrays_[i].address < arrays_[i].bytes) return static_cast<int>(i);
    }
    return -1;
  }

 private:
  std::uint32_t made_up(std::uint64_t address) const;

  std::vector<Array> arrays_;
  std::set<int> computed_{-1};  // what lies in no array is a variable, which a launch computed
  std::unordered_map<std::uint64_t, std::uint32_t> stored_;
};

}  // namespace tilelab::estimator
