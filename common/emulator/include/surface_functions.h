#pragma once

// CUDA splits what cuda_runtime.h declares into several headers.
#include "cuda_runtime.h"
