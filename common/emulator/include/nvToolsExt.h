#pragma once

// The header of NVTX 2, which has the same functions.
#include "nvtx3/nvToolsExt.h"
