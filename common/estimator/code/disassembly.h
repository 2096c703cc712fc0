#pragma once

#include <istream>
#include <vector>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// Reads what `nvdisasm -c -hex` prints, with or without `-g`: the functions, in its order.
/// Throws std::runtime_error with a line that it cannot have printed.
std::vector<Function> read_disassembly(std::istream& in);

}  // namespace tilelab::estimator
