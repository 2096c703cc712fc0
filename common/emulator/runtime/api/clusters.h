#pragma once

#include "emulated/launch.h"

namespace tilelab::emulator {

/// Adds the clusters that the kernel's declaration asks for.
/// @return the error if the launch asks for others, or for clusters that cannot be
cudaError_t apply_clusters(const void* kernel, LaunchConfiguration& configuration);

}  // namespace tilelab::emulator
