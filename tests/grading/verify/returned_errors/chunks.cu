// Piece by piece through small buffers, with the time taken by events.
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  constexpr int piece = 1 << 20;
  float* buffer = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaError_t error = cudaEventCreate(&begin);
  if (error == cudaSuccess) error = cudaEventCreate(&end);
  if (error == cudaSuccess) error = cudaMalloc(&buffer, 3 * piece * sizeof(float));
  if (error == cudaSuccess) error = cudaEventRecord(begin);
  for (int first = 0; error == cudaSuccess && first < n; first += piece) {
    const int count = n - first < piece ? n - first : piece;
    const size_t bytes = count * sizeof(float);
    error = cudaMemcpy(buffer, x + first, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) break;
    error = cudaMemcpy(buffer + piece, y + first, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) break;
    saxpy(buffer, buffer + piece, buffer + 2 * piece, a, count);
    error = cudaGetLastError();
    if (error != cudaSuccess) break;
    error = cudaMemcpy(out + first, buffer + 2 * piece, bytes, cudaMemcpyDeviceToHost);
  }
  if (error == cudaSuccess) error = cudaEventRecord(end);
  if (error == cudaSuccess) error = cudaEventSynchronize(end);
  cudaFree(buffer);
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return error;
}
