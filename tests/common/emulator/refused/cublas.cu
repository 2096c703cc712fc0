// 7: cublasSgemv_v2 is not supported
#include <cublas_v2.h>
void check(cublasStatus_t status) { static_cast<void>(status == CUBLAS_STATUS_SUCCESS); }
void f() {
  cublasHandle_t handle;
  check(cublasCreate(&handle));
  cublasSgemv_v2(handle);
}
