// 3: cudaGraphConditionalHandleCreate is not supported
void f(cudaGraph_t graph, unsigned long long* handle) {
  cudaGraphConditionalHandleCreate(handle, graph, 0, 0);
}
