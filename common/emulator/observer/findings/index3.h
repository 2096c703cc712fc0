#pragma once

#include "report/index3.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// As a report has it.
inline report::Index3 index3(uint3 v) { return {v.x, v.y, v.z}; }

}  // namespace tilelab::emulator
