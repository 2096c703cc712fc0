#include "costs/request_cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tilelab::costs {
namespace {

/// The number of different values. Reorders them.
unsigned count_different(std::uint32_t* values, unsigned count) {
  if (!std::is_sorted(values, values + count)) std::sort(values, values + count);
  return static_cast<unsigned>(std::unique(values, values + count) - values);
}

unsigned count_different_addresses(const LaneAddresses& access) {
  std::array<std::uint32_t, 32> addresses;
  for (unsigned i = 0; i < access.count; ++i) addresses[i] = access.address(i);
  return count_different(addresses.data(), access.count);
}

/// The words that lanes want of a bank take turns.
class Banks {
 public:
  /// @param joins  whether lanes that want the same word get it at once
  explicit Banks(bool joins) : joins_(joins) { last_.fill(none); }

  void want(std::uint32_t word) {
    const std::size_t bank = word % bank_count;
    if (joins_ && is_wanted(bank, word)) return;
    words_[count_] = word;
    before_[count_] = last_[bank];
    last_[bank] = static_cast<std::uint8_t>(count_++);
    most_ = std::max<unsigned>(most_, ++wanted_[bank]);
  }
  /// The turns that the busiest bank needs.
  unsigned turns() const { return most_; }

 private:
  static constexpr std::size_t most_words = 64;
  static constexpr std::uint8_t none = 0xff;

  bool is_wanted(std::size_t bank, std::uint32_t word) const {
    for (std::uint8_t at = last_[bank]; at != none; at = before_[at]) {
      if (words_[at] == word) return true;
    }
    return false;
  }

  bool joins_;
  unsigned most_ = 0;
  std::size_t count_ = 0;
  std::array<std::uint32_t, most_words> words_;
  std::array<std::uint8_t, most_words> before_;  ///< By word: the one before it in its bank.
  std::array<std::uint8_t, bank_count> last_;    ///< By bank: its last word.
  std::array<std::uint8_t, bank_count> wanted_{};
};

unsigned atomic_sectors_of(const LaneAddresses& access) {
  std::array<std::uint32_t, 32> addresses;
  for (unsigned i = 0; i < access.count; ++i) addresses[i] = access.address(i);
  std::sort(addresses.begin(), addresses.begin() + access.count);
  unsigned sectors = 0;
  unsigned at_address = 0;
  unsigned most_in_sector = 0;
  for (unsigned i = 0; i < access.count; ++i) {
    const bool is_first = i == 0;
    if (!is_first && addresses[i] / sector_bytes != addresses[i - 1] / sector_bytes) {
      sectors += most_in_sector;
      most_in_sector = 0;
    }
    at_address = !is_first && addresses[i] == addresses[i - 1] ? at_address + 1 : 1;
    most_in_sector = std::max(most_in_sector, at_address);
  }
  return sectors + most_in_sector;
}

/// The first byte that each lane wants, and which lanes want any.
struct ByLane {
  explicit ByLane(const LaneAddresses& access) : lanes(access.lanes) {
    unsigned i = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      address[static_cast<unsigned>(std::countr_zero(rest))] = access.address(i++);
    }
  }
  bool wants(unsigned lane) const { return (lanes >> lane & 1) != 0; }
  /// Whether all lanes that are `distance` apart, in pairs, want the same.
  bool pairs_agree(unsigned distance) const {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned other = lane | distance;
      if (lane == other) continue;  // the pair's second lane
      if (wants(lane) && wants(other) && address[lane] != address[other]) return false;
    }
    return true;
  }
  /// Whether each pass of loads can take the lanes of two.
  bool can_join() const { return pairs_agree(1) || pairs_agree(2); }

  std::uint32_t lanes;
  std::array<std::uint32_t, 32> address;
};

/// The turns that the lanes in [begin, end) need.
/// @param takes_turns  whether lanes that want the same word do so
unsigned turns_of_pass(const ByLane& lanes, unsigned bytes, unsigned begin, unsigned end,
                       bool takes_turns) {
  const unsigned words_per_lane = std::max(1u, bytes / bank_bytes);
  Banks banks(!takes_turns);
  for (unsigned lane = begin; lane < end; ++lane) {
    if (!lanes.wants(lane)) continue;
    for (unsigned word = 0; word < words_per_lane; ++word) {
      banks.want(lanes.address[lane] / bank_bytes + word);
    }
  }
  return banks.turns();
}

}  // namespace

unsigned sectors_of(const LaneAddresses& access, AccessKind kind) {
  if (kind == AccessKind::atomic) return atomic_sectors_of(access);
  // An aligned access is in one sector.
  std::array<std::uint32_t, 32> sectors;
  for (unsigned i = 0; i < access.count; ++i) sectors[i] = access.address(i) / sector_bytes;
  return count_different(sectors.data(), access.count);
}

unsigned wasted_bytes(const LaneAddresses& access, unsigned bytes, unsigned sectors) {
  const unsigned asked_for = bytes * count_different_addresses(access);
  return sector_bytes * sectors - std::max(asked_for, access.count);
}

WavefrontCost shared_cost_of(const LaneAddresses& access, AccessKind kind, unsigned bytes,
                             bool is_increment) {
  const ByLane lanes(access);
  const bool takes_turns = kind == AccessKind::atomic && !is_increment;
  unsigned pass = lanes_per_shared_pass(bytes);
  if (pass < 32 && kind == AccessKind::load && lanes.can_join()) pass *= 2;
  WavefrontCost cost{0, 0};
  for (unsigned begin = 0; begin < 32; begin += pass) {
    const unsigned wavefronts = turns_of_pass(lanes, bytes, begin, begin + pass, takes_turns);
    cost.wavefronts += wavefronts;
    if (wavefronts > 0) ++cost.ideal;
  }
  return cost;
}

WavefrontCost constant_cost_of(const LaneAddresses& access) {
  return {count_different_addresses(access), 1};
}

}  // namespace tilelab::costs
