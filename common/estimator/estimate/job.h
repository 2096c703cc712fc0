#pragma once

#include <istream>
#include <map>
#include <string>
#include <vector>

#include "estimator/execution/launch.h"
#include "estimator/execution/memory.h"

namespace tilelab::estimator {

/// What a program did on the GPU.
struct Job {
  std::vector<Array> arrays;              ///< The global memory that it allocated.
  std::map<std::string, Kernel> kernels;  ///< Its kernels by name.
  std::vector<Launch> launches;           ///< Its launches, in order.
};

/// Reads lines
///
///     array ADDRESS BYTES CONTENTS
///     kernel NAME REGISTERS SHARED_BYTES
///     launch NAME GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z DYNAMIC_SHARED_BYTES [PARAMETERS]
///
/// with addresses and the bytes of parameters in hexadecimal. CONTENTS is zeros, fractions or bits.
/// Throws std::runtime_error for a line that is none of these, and Unknown for a launch that is
/// larger than any GPU allows.
Job read_job(std::istream& in);

}  // namespace tilelab::estimator
