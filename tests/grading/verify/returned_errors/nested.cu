// An if inside of an if. Each level frees what it allocated.
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x, *d_y, *d_out;
  cudaError_t error = cudaMalloc((void**)&d_x, bytes);
  if (error == cudaSuccess) {
    error = cudaMalloc((void**)&d_y, bytes);
    if (error == cudaSuccess) {
      error = cudaMalloc((void**)&d_out, bytes);
      if (error == cudaSuccess) {
        error = cudaMemcpy(d_x, x, bytes, cudaMemcpyDefault);
        if (error == cudaSuccess) {
          error = cudaMemcpy(d_y, y, bytes, cudaMemcpyDefault);
          if (error == cudaSuccess) {
            saxpy(d_x, d_y, d_out, a, n);
            cudaDeviceSynchronize();
            error = cudaGetLastError();  // of the launch or of the kernel
            if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDefault);
          }
        }
        cudaFree(d_out);
      }
      cudaFree(d_y);
    }
    cudaFree(d_x);
  }
  return error;
}
