#pragma once

#include <istream>
#include <map>
#include <string>
#include <vector>

#include "estimator/estimate/comparison.h"
#include "estimator/execution/launch.h"
#include "estimator/execution/memory.h"
#include "estimator/timing/gpu.h"

namespace tilelab::estimator {

/// What a program did on a GPU.
struct Job {
  Gpu gpu;                                ///< An H200, apart from the constants that were given.
  std::vector<Array> arrays;              ///< The global memory that it allocated, without images.
  std::vector<std::uint8_t> constants;    ///< The program's; empty if nobody knows them.
  std::map<std::string, Kernel> kernels;  ///< Its kernels by name.
  std::vector<Launch> launches;           ///< Its launches, in order.
  /// The memory that each of these launches found, if its images say so; empty if there are none.
  std::vector<Memory> memories;
  /// What blocks of these launches did elsewhere; empty if nobody asks.
  std::vector<Trial> trials;
  /// What the host stored before each of the launches.
  std::vector<std::vector<Change>> stored_by_host;
};

/// Reads a stream of schema::Job. Throws std::runtime_error for a line that is wrong or of another
/// version, and Unknown for a launch that is larger than any GPU allows.
Job read_job(std::istream& in);

}  // namespace tilelab::estimator
