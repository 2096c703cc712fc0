#include "observer/findings.h"

#include <utility>

namespace tilelab::emulator {

void Findings::add(Finding finding) {
  // Which side came first depends on the order in which threads run; what is reported does not.
  if (finding.has_second && finding.second.place.code < finding.first.place.code) {
    std::swap(finding.first, finding.second);
  }
  const Key key{finding.kind, finding.first.place.code, finding.second.place.code,
                finding.sentence};
  const auto [known, is_new] = numbers_.emplace(key, findings_.size());
  if (is_new) {
    findings_.push_back(std::move(finding));
  } else {
    findings_[known->second].count += finding.count;
  }
}

std::vector<Finding> Findings::take() {
  numbers_.clear();
  return std::exchange(findings_, {});
}

std::string MemoryPlace::text() const {
  const std::string number = std::to_string(index);
  if (!name.empty()) return name + '[' + number + ']';
  switch (space) {
    case MemorySpace::global:
      return "global memory + " + number;
    case MemorySpace::shared:
      return "shared memory + " + number;
    case MemorySpace::constant:
      return "constant memory + " + number;
    case MemorySpace::local:
      return "local memory";
    case MemorySpace::host:
      return "memory of the host";
  }
  return "";
}

}  // namespace tilelab::emulator
