#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "report/finding.h"

namespace tilelab::emulator {

/// Findings, with one for each kind and pair of places.
class Findings {
 public:
  void add(report::Finding finding);
  std::vector<report::Finding> take();
  bool empty() const { return findings_.empty(); }

 private:
  using Key = std::tuple<report::FindingKind, std::uint64_t, std::uint64_t, std::string>;
  std::map<Key, std::size_t> numbers_;
  std::vector<report::Finding> findings_;
};

}  // namespace tilelab::emulator
