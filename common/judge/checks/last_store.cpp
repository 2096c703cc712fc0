#include "judge/checks/last_store.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <set>
#include <utility>
#include <vector>

#include "judge/calls/observation.h"
#include "judge/calls/or_fail.h"
#include "judge/calls/runs.h"
#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/worker/errors.h"
#include "report/declarations/names.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

using report::AccessKind;
using report::LaneAccess;
using report::LaunchReport;
using report::TraceStep;

/// The bytes of one element of an output.
struct Element {
  const std::string& array;
  std::size_t begin;
  std::span<const std::byte> bytes;
};

/// What one lane did in a step of a launch.
struct LaneStep {
  const LaunchReport& launch;
  const TraceStep& step;
  const LaneAccess& lane;

  const report::TracedArray& array() const { return launch.trace.arrays.at(lane.array); }
};

bool covers(const LaneStep& at, const Element& element) {
  return at.array().space == report::MemorySpace::global && at.array().name == element.array &&
         at.lane.offset <= element.begin &&
         element.begin + element.bytes.size() <= at.lane.offset + at.step.bytes;
}

/// Whether it is neither a barrier nor a part of an asynchronous copy.
bool is_access(const TraceStep& step) {
  return !step.is_barrier && step.copy == report::CopyStep::none;
}

/// The last store to an element in these launches, as far as their traces go.
std::optional<LaneStep> find_store(const std::vector<LaunchReport>& launches,
                                   const Element& element) {
  for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch) {
    const std::vector<TraceStep>& steps = launch->trace.steps;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (!is_access(*step) || step->kind == AccessKind::load) continue;
      for (auto lane = step->lanes.rbegin(); lane != step->lanes.rend(); ++lane) {
        const LaneStep at{*launch, *step, *lane};
        if (covers(at, element)) return at;
      }
    }
  }
  return std::nullopt;
}

/// Whether the element has the bytes that it got: nothing was stored there afterwards.
bool leaves(const LaneStep& at, const Element& element) {
  if (!at.lane.has_value) return false;
  const auto all = std::as_bytes(std::span(at.lane.value));
  const std::size_t skipped = element.begin - at.lane.offset;
  if (skipped + element.bytes.size() > all.size()) return false;
  return std::memcmp(all.data() + skipped, element.bytes.data(), element.bytes.size()) == 0;
}

report::Index3 index_in(std::uint64_t number, const report::Index3& size) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

/// The element that a lane accesses: "tile[3]".
std::string text_of(const LaneStep& at) {
  const std::int64_t index = static_cast<std::int64_t>(at.lane.offset / at.step.bytes);
  report::MemoryPlace memory{at.array().space, at.array().name, index, at.step.bytes};
  memory.size = at.array().bytes / at.step.bytes;
  const unsigned line = submission_line(at.launch.trace.places.at(at.step.place));
  report::name_as_declared(memory, submission_text(), line);
  return report::text_of(memory);
}

/// What the thread of a store loaded since the last barrier before it. Nothing if it loaded several
/// elements at a time, because an array of which a vector is read may be one of vectors or not.
std::vector<std::string> loads_before(const LaneStep& store, std::size_t element_bytes) {
  std::vector<std::string> loads;
  for (const TraceStep& step : store.launch.trace.steps) {
    if (&step == &store.step) break;
    if (step.block != store.step.block) continue;
    if (step.is_barrier) loads.clear();
    if (!is_access(step) || step.warp != store.step.warp || step.kind != AccessKind::load) continue;
    for (const LaneAccess& lane : step.lanes) {
      if (lane.lane != store.lane.lane) continue;
      if (step.bytes > element_bytes) return {};
      const std::string text = text_of({store.launch, step, lane});
      if (std::find(loads.begin(), loads.end(), text) == loads.end()) loads.push_back(text);
    }
  }
  return loads;
}

/// ", after reading tile[3] and in[4]", or "" if it read nothing, or much.
std::string reading(const std::vector<std::string>& loads) {
  constexpr std::size_t most = 3;
  if (loads.empty() || loads.size() > most) return "";
  std::string text = ", after reading " + loads.front();
  for (std::size_t i = 1; i < loads.size(); ++i) {
    text += (i + 1 < loads.size() ? ", " : " and ") + loads[i];
  }
  return text;
}

std::optional<schema::Place> place_of(const LaneStep& at, const Element& element,
                                      const std::string& shown) {
  const report::SourcePlace& source = at.launch.trace.places.at(at.step.place);
  if (!is_in_submission(source)) return std::nullopt;
  const std::uint64_t thread = std::uint64_t{32} * at.step.warp + at.lane.lane;
  const std::string who = report::thread_text(index_in(at.step.block, at.launch.grid),
                                              index_in(thread, at.launch.block));
  return schema::Place{submission_line(source), element.array,
                       who + " stores " + shown + reading(loads_before(at, element.bytes.size()))};
}

std::optional<schema::Place> search(const KeptCall& call, const Element& element,
                                    const std::string& shown) {
  const Observation seen =
      observe("submission", call.function, call.arguments, Detail::trace, Order::ascending);
  if (seen.failure) return std::nullopt;
  const std::optional<LaneStep> at = find_store(seen.report.launches, element);
  return at && leaves(*at, element) ? place_of(*at, element, shown) : std::nullopt;
}

/// Of wrong results with the same pattern, the first is shown.
bool is_first_of_kind(const KeptCall& call, const Message& wrong) {
  static std::set<std::pair<std::uint32_t, std::string>> seen;
  return seen.emplace(call.function.index, wrong.pattern).second;
}

}  // namespace

std::optional<schema::Place> last_store(const std::string& array, std::size_t begin,
                                        std::span<const std::byte> bytes, const Message& wrong) {
  // Nobody reads what is said of one version among many.
  if (options().source.empty() || options().is_one_of_many()) return std::nullopt;
  const KeptCall* call = last_call();
  if (call == nullptr || !is_first_of_kind(*call, wrong)) return std::nullopt;
  try {
    return search(*call, {array, begin, bytes}, wrong.element);
  } catch (const SubmissionError&) {
    return std::nullopt;
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

}  // namespace tilelab::judge
