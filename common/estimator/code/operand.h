#pragma once

#include <string_view>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// Reads an operand of a disassembly, such as -R2.reuse, c[0x0][0x210] or desc[UR4][R2.64+0x10].
/// @param precision  that of a decimal number: single or twofold
Operand read_operand(std::string_view text, Precision precision = Precision::single);

}  // namespace tilelab::estimator
