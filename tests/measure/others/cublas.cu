// cuBLAS behind plain C functions.

#include <cublas_v2.h>

// out = in^T, where cuBLAS takes the columns of a matrix for what we call rows.
extern "C" int cublas_transpose(const float* in, float* out, int rows, int columns) {
  static cublasHandle_t handle = nullptr;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return -1;
  const float one = 1, zero = 0;
  return cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, in, columns, &zero, out,
                     rows, out, rows);
}

// c = a b for rows of m x k and k x n numbers. To cuBLAS, rows are columns: it makes c^T = b^T a^T.
extern "C" int cublas_product(const float* a, const float* b, float* c, int m, int n, int k) {
  static cublasHandle_t handle = nullptr;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return -1;
  const float one = 1, zero = 0;
  cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n);
}
