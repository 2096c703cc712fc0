#include "emulator/observer/findings/findings.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tilelab::emulator {
namespace {

bool is_race(const report::Finding& finding) {
  return finding.kind == report::FindingKind::data_race ||
         finding.kind == report::FindingKind::same_value_data_race;
}

/// The instructions that race with themselves in another thread, so they write.
std::set<std::uint64_t> shared_writes(const std::vector<report::Finding>& findings) {
  std::set<std::uint64_t> codes;
  for (const report::Finding& one : findings) {
    const bool is_of_one = one.first.place.code == one.second.place.code;
    if (is_race(one) && is_of_one) codes.insert(one.first.place.code);
  }
  return codes;
}

}  // namespace

Findings::Key Findings::key_of(const report::Finding& finding) {
  return {finding.kind, finding.first.place.code, finding.second.place.code, finding.sentence,
          finding.callers};
}

const report::Finding* Findings::add(report::Finding finding) {
  // Which side comes first depends on the order of the threads. The report must not.
  if (report::row_of(finding.kind).is_symmetric &&
      finding.second.place.code < finding.first.place.code) {
    std::swap(finding.first, finding.second);
  }
  const auto [known, is_new] = numbers_.emplace(key_of(finding), findings_.size());
  if (is_new) return &findings_.emplace_back(std::move(finding));
  findings_[known->second].join(finding);
  return nullptr;
}

bool Findings::withdraw_index(const report::Index3& block, const report::Index3& thread) {
  if (findings_.empty()) return false;
  const report::Finding& last = findings_.back();
  if (last.kind != report::FindingKind::index_out_of_bounds || last.count != 1 ||
      last.first.block != block || last.first.thread != thread) {
    return false;
  }
  numbers_.erase(key_of(last));
  findings_.pop_back();
  return true;
}

std::vector<report::Finding> Findings::take() {
  numbers_.clear();
  const std::set<std::uint64_t> codes = shared_writes(findings_);
  for (report::Finding& one : findings_) {
    const std::uint64_t first = one.first.place.code, second = one.second.place.code;
    one.has_many_writers = is_race(one) && (codes.contains(first) || codes.contains(second));
  }
  return std::exchange(findings_, {});
}

}  // namespace tilelab::emulator
