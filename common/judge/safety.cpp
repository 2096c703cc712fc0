#include "judge/safety.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "judge/catch.h"
#include "judge/source_text.h"

namespace tilelab::judge {
namespace {

using emulator::AccessKind;
using emulator::Accessor;
using emulator::Finding;
using emulator::FindingKind;

// A class of mistakes repeats itself: a few findings are enough to begin with.
constexpr std::size_t most_shown = 4;

std::string text_of(const uint3& position) {
  std::ostringstream text;
  text << "(" << position.x << "," << position.y << "," << position.z << ")";
  return text.str();
}

std::string thread_of(const Accessor& accessor) {
  return "thread " + text_of(accessor.thread) + " of block " + text_of(accessor.block);
}

const char* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::store:
      return "stores to";
    case AccessKind::atomic:
      return "updates";
    default:
      return "loads";
  }
}

std::string access_of(const Finding& finding) {
  return thread_of(finding.first) + " " + verb(finding.first.kind) + " " + finding.memory.text() +
         " at " + show(finding.first.place);
}

std::string race_text(const Finding& finding) {
  return access_of(finding) + ", and " + thread_of(finding.second) + " " +
         verb(finding.second.kind) + " it at " + show(finding.second.place) +
         ", with no barrier between them";
}

/// What is wrong, without the kernel's name and the count.
std::string problem_of(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::race:
      return "race: " + race_text(finding);
    case FindingKind::same_value_race:
      return "two threads store the same value: " + race_text(finding);
    case FindingKind::uninitialized_read:
      return access_of(finding) + ", which nobody has written";
    case FindingKind::out_of_bounds:
      return access_of(finding) + ", which is out of bounds";
    case FindingKind::use_after_free:
      return access_of(finding) + ", which was freed";
    case FindingKind::misaligned:
      return access_of(finding) + ", " + std::to_string(finding.memory.bytes) +
             " bytes at an address that is no multiple of their size";
    case FindingKind::host_pointer:
      return access_of(finding) + ", which is memory of the host";
    case FindingKind::constant_write:
      return access_of(finding) + ", which is constant";
    default:
      return finding.sentence;
  }
}

using Key = std::pair<FindingKind, std::string>;

/// Adds what no earlier order of the threads has shown.
void add_new(std::vector<Finding>& all, std::set<Key>& known, const std::vector<Finding>& found) {
  for (const Finding& finding : found) {
    const Key key(finding.kind, show(finding.first.place) + "|" + show(finding.second.place) + "|" +
                                    finding.sentence);
    if (known.insert(key).second) all.push_back(finding);
  }
}

std::vector<Finding> find_in_all_orders(const Function& function,
                                        const std::vector<CallArgument>& arguments) {
  std::vector<Finding> all;
  std::set<Key> known;
  for (const wire::Order order :
       {wire::Order::ascending, wire::Order::descending, wire::Order::random}) {
    const Observation observation =
        observe("submission", function, arguments, wire::Detail::everything, order);
    for (const emulator::LaunchReport& launch : observation.report.launches) {
      add_new(all, known, launch.findings);
    }
    add_new(all, known, observation.report.findings);
    if (!observation.failure.empty() && all.empty()) throw SubmissionError(observation.failure);
  }
  return all;
}

}  // namespace

std::string sentence_on(const Finding& finding) {
  std::string text = finding.kernel.empty() ? "" : "Kernel " + finding.kernel + ": ";
  text += problem_of(finding);
  if (!text.empty() && text.back() == '.') text.pop_back();
  if (finding.count > 1) text += " (" + std::to_string(finding.count) + " times)";
  return text + ".";
}

const char* pattern_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::race:
      return "race";
    case FindingKind::uninitialized_read:
      return "uninitialized_read";
    case FindingKind::out_of_bounds:
      return "out_of_bounds";
    case FindingKind::use_after_free:
      return "use_after_free";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::divergent_barrier:
      return "divergent_barrier";
    case FindingKind::failed_launch:
      return "launch_failed";
    case FindingKind::leak:
      return "leak";
    default:
      return "fault";
  }
}

void check_safe(const Function& function, const std::vector<CallArgument>& arguments) {
  std::vector<Finding> findings;
  try {
    findings = find_in_all_orders(function, arguments);
  } catch (const SubmissionError& error) {
    FAIL(error.what());
  } catch (const std::exception& error) {
    give_up(error.what());
  }
  SUCCEED();
  std::size_t shown = 0;
  for (const Finding& finding : findings) {
    if (finding.is_note()) {
      WARN(sentence_on(finding));
    } else if (++shown <= most_shown) {
      FAIL_CHECK(sentence_on(finding) << " [pattern: " << pattern_of(finding.kind) << "]");
    }
  }
}

}  // namespace tilelab::judge
