#pragma once

/// The driver API. The emulator has the runtime API alone, and refuses the driver's functions where
/// a program calls them.

#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION
