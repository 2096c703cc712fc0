#include "emulator/observer/findings/findings.h"

#include <utility>

namespace tilelab::emulator {

void Findings::add(report::Finding finding) {
  // Which side comes first depends on the order of the threads. The report must not.
  const bool is_race = finding.kind == report::FindingKind::data_race ||
                       finding.kind == report::FindingKind::same_value_data_race;
  if (is_race && finding.second.place.code < finding.first.place.code) {
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

std::vector<report::Finding> Findings::take() {
  numbers_.clear();
  return std::exchange(findings_, {});
}

}  // namespace tilelab::emulator
