#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "emulator/observer/findings/reason.h"
#include "report/finding.h"

namespace tilelab::emulator {

/// Findings, with one for each kind and pair of places.
class Findings {
 public:
  /// Returns null if the same was found before.
  const report::Finding* add(report::Finding finding);
  /// The same for a race with a reason, of which each pair of places has one.
  const report::Finding* add_race(report::Finding finding, const Reason& reason);
  /// Removes the last finding if it is about an index of this thread, and only about that one.
  /// Returns whether it was.
  bool withdraw_index(const report::Index3& block, const report::Index3& thread);
  /// Returns and forgets all, and says of each race whether several threads write the place.
  std::vector<report::Finding> take();
  bool empty() const { return findings_.empty(); }

 private:
  using Key = std::tuple<report::FindingKind, std::uint64_t, std::uint64_t, unsigned, std::string,
                         std::vector<std::uint64_t>, std::vector<std::uint64_t>>;
  static Key key_of(const report::Finding& finding);
  const report::Finding* add(Key key, report::Finding finding);

  std::map<Key, std::size_t> numbers_;
  std::map<std::size_t, Reason::Lack> lacks_;  ///< By the numbers of races with a reason.
  std::vector<report::Finding> findings_;
};

}  // namespace tilelab::emulator
