#include "emulator/observer/findings/findings.h"

#include <algorithm>
#include <cstddef>
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

bool is_of_one_block(const report::Finding& finding) {
  return finding.first.block == finding.second.block;
}

/// Whether a race has no reason, and this one of the same two places has one.
bool explains(const report::Finding& reason, const report::Finding& race) {
  return race.sentence.empty() && !reason.sentence.empty() && race.kind == reason.kind &&
         race.first.place.code == reason.first.place.code &&
         race.second.place.code == reason.second.place.code &&
         is_of_one_block(race) == is_of_one_block(reason);
}

/// Joins races that differ only in whether somebody knows why, at the place of the first.
void join_unexplained(std::vector<report::Finding>& findings) {
  for (std::size_t i = 0; i < findings.size();) {
    const auto reason = std::find_if(findings.begin(), findings.end(), [&](const auto& other) {
      return is_race(other) && explains(other, findings[i]);
    });
    if (reason == findings.end()) {
      ++i;
      continue;
    }
    reason->join(findings[i]);
    const auto at = static_cast<std::size_t>(reason - findings.begin());
    std::swap(findings[std::min(i, at)], *reason);
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(std::max(i, at)));
  }
}

/// Puts the first of two places in the order of the source first. Which of them comes first depends
/// on the order of the threads, and the report must not.
void order_sides(report::Finding& finding) {
  if (report::row_of(finding.kind).is_symmetric &&
      finding.second.place.code < finding.first.place.code) {
    std::swap(finding.first, finding.second);
  }
}

}  // namespace

Findings::Key Findings::key_of(const report::Finding& finding) {
  return {finding.kind,
          finding.first.place.code,
          finding.second.place.code,
          finding.first.place.line,
          finding.sentence,
          finding.callers,
          finding.other_callers};
}

const report::Finding* Findings::add(report::Finding finding) {
  order_sides(finding);
  Key key = key_of(finding);
  return add(std::move(key), std::move(finding));
}

const report::Finding* Findings::add(Key key, report::Finding finding) {
  const auto [known, is_new] = numbers_.emplace(std::move(key), findings_.size());
  if (is_new) return &findings_.emplace_back(std::move(finding));
  findings_[known->second].join(finding);
  return nullptr;
}

const report::Finding* Findings::add_race(report::Finding finding, const Reason& reason) {
  if (!reason.is_known()) return add(std::move(finding));
  order_sides(finding);
  finding.sentence = is_of_one_block(finding) ? "in a block" : "between blocks";
  Key key = key_of(finding);
  finding.sentence = reason.sentence;
  const auto known = numbers_.find(key);
  if (known == numbers_.end()) {
    lacks_[findings_.size()] = reason.lack;
    return add(std::move(key), std::move(finding));
  }
  report::Finding& old = findings_[known->second];
  Reason::Lack& lack = lacks_[known->second];
  if (reason.lack > lack) {
    lack = reason.lack;
    std::swap(old, finding);
  }
  old.join(finding);
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
  lacks_.clear();
  join_unexplained(findings_);
  const std::set<std::uint64_t> codes = shared_writes(findings_);
  for (report::Finding& one : findings_) {
    const std::uint64_t first = one.first.place.code, second = one.second.place.code;
    one.has_many_writers = is_race(one) && (codes.contains(first) || codes.contains(second));
  }
  return std::exchange(findings_, {});
}

}  // namespace tilelab::emulator
