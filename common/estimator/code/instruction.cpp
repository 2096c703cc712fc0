#include "estimator/code/instruction.h"

#include <algorithm>

namespace tilelab::estimator {

bool Instruction::has(std::string_view modifier) const {
  return std::ranges::find(modifiers, modifier) != modifiers.end();
}

}  // namespace tilelab::estimator
