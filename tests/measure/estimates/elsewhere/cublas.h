// Lets a file compile that also has functions which call cuBLAS. None of them is called here.

#include <cstdint>

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT };
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F,
  CUBLAS_COMPUTE_32F,
  CUBLAS_COMPUTE_32F_FAST_TF32,
};
enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT,
  CUBLASLT_EPILOGUE_BIAS,
  CUBLASLT_EPILOGUE_GELU,
  CUBLASLT_EPILOGUE_GELU_BIAS,
};
enum cublasLtName {
  CUBLASLT_MATMUL_DESC_TRANSA,
  CUBLASLT_MATMUL_DESC_TRANSB,
  CUBLASLT_MATMUL_DESC_EPILOGUE,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
};
using cublasHandle_t = void*;
using cublasLtHandle_t = void*;
using cublasLtMatmulDesc_t = void*;
using cublasLtMatmulPreference_t = void*;
using cublasLtMatrixLayout_t = void*;
struct cublasLtMatmulHeuristicResult_t {
  int algo;
};

#define CUBLAS_LOWP CUDA_R_32F
#define CUBLAS_LOWP_COMPUTE CUBLAS_COMPUTE_32F

#define CUBLAS_FUNCTION(name)      \
  template <class... T>            \
  cublasStatus_t name(T...) {      \
    return CUBLAS_STATUS_SUCCESS;  \
  }
CUBLAS_FUNCTION(cublasCreate)
CUBLAS_FUNCTION(cublasDestroy)
CUBLAS_FUNCTION(cublasSetMathMode)
CUBLAS_FUNCTION(cublasSgemm)
CUBLAS_FUNCTION(cublasSgemmStridedBatched)
CUBLAS_FUNCTION(cublasGemmStridedBatchedEx)
CUBLAS_FUNCTION(cublasLtCreate)
CUBLAS_FUNCTION(cublasLtDestroy)
CUBLAS_FUNCTION(cublasLtMatmul)
CUBLAS_FUNCTION(cublasLtMatmulAlgoGetHeuristic)
CUBLAS_FUNCTION(cublasLtMatmulDescCreate)
CUBLAS_FUNCTION(cublasLtMatmulDescDestroy)
CUBLAS_FUNCTION(cublasLtMatmulDescSetAttribute)
CUBLAS_FUNCTION(cublasLtMatmulPreferenceCreate)
CUBLAS_FUNCTION(cublasLtMatmulPreferenceDestroy)
CUBLAS_FUNCTION(cublasLtMatmulPreferenceSetAttribute)
CUBLAS_FUNCTION(cublasLtMatrixLayoutCreate)
CUBLAS_FUNCTION(cublasLtMatrixLayoutDestroy)
#undef CUBLAS_FUNCTION
