// 6: the functions of a lab cannot put kernels into graphs

__global__ void kernel(int* out) { *out = 1; }

void run(cudaGraph_t graph, int* out) {
  cudaKernelNodeParams parameters{};
  void* arguments[] = {&out};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = parameters.blockDim = 1;
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
}
