#pragma once

#include <string_view>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// The unit that executes an instruction.
/// @param name  what it is called in a disassembly, without modifiers
Pipe pipe_of(std::string_view name, const Instruction& one);

}  // namespace tilelab::estimator
