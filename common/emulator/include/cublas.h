#pragma once

// All of the library has one header here.
#include "cublas_v2.h"
