#pragma once

/// The types of cuBLASLt, as cublas_v2.h has those of cuBLAS.

#include "cublas_v2.h"

typedef struct cublasLtContext* cublasLtHandle_t;
