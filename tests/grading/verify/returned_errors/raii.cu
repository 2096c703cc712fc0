// Objects that free what they allocated, exceptions that carry the error.
struct Failure {
  cudaError_t error;
};

static void check(cudaError_t error) {
  if (error != cudaSuccess) throw Failure{error};
}

class Buffer {
 public:
  explicit Buffer(size_t bytes) : bytes_(bytes) { check(cudaMalloc(&data_, bytes)); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() { return data_; }
  void upload(const float* from) { check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice)); }
  void download(float* to) { check(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost)); }

 private:
  float* data_ = nullptr;
  size_t bytes_;
};

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  try {
    const size_t bytes = n * sizeof(float);
    Buffer d_x(bytes), d_y(bytes), d_out(bytes);
    d_x.upload(x);
    d_y.upload(y);
    saxpy(d_x.data(), d_y.data(), d_out.data(), a, n);
    check(cudaGetLastError());
    d_out.download(out);
  } catch (const Failure& failure) {
    return failure.error;
  }
  return cudaSuccess;
}
