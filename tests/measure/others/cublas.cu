// cuBLAS's transpose behind a plain C function.

#include <cublas_v2.h>

// out = in^T, where cuBLAS takes the columns of a matrix for what we call rows.
extern "C" int cublas_transpose(const float* in, float* out, int rows, int columns) {
  static cublasHandle_t handle = nullptr;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return -1;
  const float one = 1, zero = 0;
  return cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, in, columns, &zero, out,
                     rows, out, rows);
}
