#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "emulated/graphs/kept_launch.h"

namespace tilelab::emulator {

/// What a kept launch would do.
struct DescribedLaunch {
  const void* kernel = nullptr;
  LaunchConfiguration configuration;
  std::vector<std::shared_ptr<std::byte[]>> values;  ///< Copies of its arguments.
  std::vector<void*> arguments;                      ///< Where each of them is.
};

/// Asks a launch, which does not run.
DescribedLaunch describe_launch(const Work& launch);

}  // namespace tilelab::emulator
