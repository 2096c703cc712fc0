#pragma once

#include <istream>
#include <vector>

#include "estimator/instruction.h"

namespace tilelab::estimator {

/// Reads the output of `nvdisasm -c -hex`, with or without `-g`: the functions, in its order.
std::vector<Function> read_disassembly(std::istream& in);

}  // namespace tilelab::estimator
