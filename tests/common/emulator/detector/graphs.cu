// Nodes of graphs, and the edges that order them.

#include "cases.h"

namespace {

using tilelab::detector::finish;

constexpr int block = 64;

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

/// A graph that is made node by node, of kernels whose names no other function of the file has.
class Graph {
 public:
  Graph() { cudaGraphCreate(&graph_, 0); }
  ~Graph() { cudaGraphDestroy(graph_); }

  cudaGraphNode_t add(void (*kernel)(int*), int* data, std::vector<cudaGraphNode_t> after = {}) {
    void* arguments[] = {&data};
    return add(reinterpret_cast<void*>(kernel), arguments, after);
  }
  cudaGraphNode_t add(void (*kernel)(const int*, int*), const int* in, int* out,
                      std::vector<cudaGraphNode_t> after = {}) {
    void* arguments[] = {&in, &out};
    return add(reinterpret_cast<void*>(kernel), arguments, after);
  }
  cudaGraphNode_t zero(int* data) {
    cudaMemsetParams what{};
    what.dst = data;
    what.elementSize = 4;
    what.width = block;
    what.height = 1;
    cudaGraphNode_t node;
    cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &what);
    return node;
  }

  void run(int times = 1) {
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph_, 0);
    for (int i = 0; i < times; ++i) cudaGraphLaunch(executable, nullptr);
    finish();
    cudaGraphExecDestroy(executable);
  }

 private:
  cudaGraphNode_t add(void* kernel, void** arguments, const std::vector<cudaGraphNode_t>& after) {
    cudaKernelNodeParams parameters{};
    parameters.func = kernel;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(block);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &parameters);
    return node;
  }

  cudaGraph_t graph_{};
};

// Nothing says that the first node runs before the second.
namespace graph_without_an_edge {
__global__ void count(int* data) { data[threadIdx.x] = threadIdx.x; }                  // A
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // B
void run() {
  const Array<int> data(block), out(block);
  Graph graph;
  graph.add(count, data);
  graph.add(copy, data, out);
  graph.run();
}
}  // namespace graph_without_an_edge
DETECTOR_CASE(graph_without_an_edge, stream_race);

namespace graph_with_an_edge {
void run() {
  const Array<int> data(block), out(block);
  Graph graph;
  const cudaGraphNode_t filled = graph.add(fill, data);
  graph.add(twice, data, out, {filled});
  graph.run();
}
}  // namespace graph_with_an_edge
DETECTOR_CASE(graph_with_an_edge, none);

// Two branches read what the first node wrote, and the last one what they wrote.
namespace graph_with_two_branches {
__global__ void add_up(const int* in, int* out) { out[threadIdx.x] += in[threadIdx.x]; }
void run() {
  const Array<int> data(block), left(block), right(block);
  Graph graph;
  const cudaGraphNode_t filled = graph.add(fill, data);
  const cudaGraphNode_t one = graph.add(twice, data, left, {filled});
  const cudaGraphNode_t other = graph.add(twice, data, right, {filled});
  graph.add(add_up, left, right, {one, other});
  graph.run();
}
}  // namespace graph_with_two_branches
DETECTOR_CASE(graph_with_two_branches, none);

// The last node waits for one of them only.
namespace graph_forgets_a_branch {
__global__ void put(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
__global__ void get(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // B
void run() {
  const Array<int> data(block), left(block), right(block);
  Graph graph;
  const cudaGraphNode_t filled = graph.add(fill, data);
  graph.add(put, data, left, {filled});
  const cudaGraphNode_t other = graph.add(twice, data, right, {filled});
  graph.add(get, left, right, {other});
  graph.run();
}
}  // namespace graph_forgets_a_branch
DETECTOR_CASE(graph_forgets_a_branch, stream_race);

// A launch of a graph waits for the one before.
namespace graph_twice_in_a_stream {
void run() {
  const Array<int> data(block), other(block), out(block);
  Graph graph;
  const cudaGraphNode_t filled = graph.add(fill, data);
  graph.add(fill, other);
  graph.add(twice, data, out, {filled});
  graph.run(2);
}
}  // namespace graph_twice_in_a_stream
DETECTOR_CASE(graph_twice_in_a_stream, none);

// A kernel before the launch and one after it.
namespace graph_between_kernels {
void run() {
  const Array<int> data(block), other(block), out(block);
  Graph graph;
  graph.add(twice, data, out);
  graph.add(fill, other);
  fill<<<1, block>>>(data);
  graph.run();
  twice<<<1, block>>>(other, out);
  finish();
}
}  // namespace graph_between_kernels
DETECTOR_CASE(graph_between_kernels, none);

namespace graph_zeroes_beside_a_kernel {
__global__ void number(int* data) { data[threadIdx.x] = threadIdx.x; }  // A
void run() {
  const Array<int> data(block);
  Graph graph;
  graph.zero(data);
  graph.add(number, data);
  graph.run();
}
}  // namespace graph_zeroes_beside_a_kernel
DETECTOR_CASE(graph_zeroes_beside_a_kernel, copy_race);

}  // namespace
