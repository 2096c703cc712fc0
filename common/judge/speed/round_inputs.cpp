#include "judge/speed/round_inputs.h"

#include <algorithm>

#include "contract/turn.h"

namespace tilelab::judge {
namespace {

/// Calls action(array, argument) for each array that is read and has elements.
template <class F>
void for_each_input(const SpeedProblem& problem, F&& action) {
  for (std::uint32_t i = 0; i < problem.arguments.size(); ++i) {
    const CallArgument& argument = problem.arguments[i];
    if (!wire::is_read(argument.role) || argument.bytes == 0) continue;
    action(turn::Array{i, static_cast<std::uint32_t>(argument.element_bytes),
                       argument.bytes / argument.element_bytes},
           argument);
  }
}

}  // namespace

RoundInputs::RoundInputs(const SpeedProblem& problem, Random& random)
    : problem_(problem), salt_(random.bits()) {}

RoundInputs::~RoundInputs() { take_back_changes(); }

const Images& RoundInputs::images(std::uint32_t draw) {
  if (const auto made = images_.find(draw); made != images_.end()) return made->second;
  show(draw, 0);
  Random random(salt_ ^ turn::mix(draw));
  return images_.emplace(draw, Images(problem_.arguments, Images::Contents::inputs_only, random))
      .first->second;
}

void RoundInputs::show(std::uint32_t draw, std::uint64_t seed) {
  if (draw == shown_ && seed == shown_seed_) return;
  is_expected_ = false;
  take_back_changes();
  if (draw != shown_) {
    Random random(salt_ + draw);
    problem_.fresh(random);
    shown_ = draw;
  }
  if (seed != 0) change(seed);
}

void RoundInputs::expect() {
  if (!is_expected_ && problem_.expect) problem_.expect();
  is_expected_ = true;
}

void RoundInputs::change(std::uint64_t seed) {
  write_changes(seed, &turn::Change::from);
  shown_seed_ = seed;
}

void RoundInputs::take_back_changes() {
  if (shown_seed_ == 0) return;
  write_changes(shown_seed_, &turn::Change::at);
  shown_seed_ = 0;
}

void RoundInputs::write_changes(std::uint64_t seed, std::uint64_t turn::Change::*original_place) {
  const Images& originals = images(shown_);
  for_each_input(problem_, [&](const turn::Array& array, const CallArgument& argument) {
    const auto original = originals.payload(array.number, originals.file());
    // The problem owns this array and lets `fresh` write to it.
    auto* elements = const_cast<std::byte*>(argument.input);
    for (std::uint64_t block = 0; block < array.blocks(); ++block) {
      const turn::Change change = turn::change_of(seed, array, block);
      std::copy_n(&original[change.*original_place * array.element_bytes], array.element_bytes,
                  elements + change.at * array.element_bytes);
    }
  });
}

}  // namespace tilelab::judge
