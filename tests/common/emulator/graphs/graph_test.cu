// Graphs: what is captured or put together is done when the graph is launched, as often as it is.

#include "device.h"

namespace {

__global__ void add(int* value, int amount) { *value += amount; }
__global__ void multiply(int* value, int factor) { *value *= factor; }
template <class T>
__global__ void subtract(T* value, T amount) {
  *value -= amount;
}

class Stream {
 public:
  Stream() { REQUIRE(cudaStreamCreate(&stream_) == cudaSuccess); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

void begin(cudaStream_t stream) {
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
}

cudaGraph_t end(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  return graph;
}

std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  return count;
}

cudaGraphExec_t executable(cudaGraph_t graph) {
  cudaGraphExec_t result = nullptr;
  REQUIRE(cudaGraphInstantiate(&result, graph, nullptr, nullptr, 0) == cudaSuccess);
  return result;
}

void count_call(void* calls) { ++*static_cast<int*>(calls); }

using Values = std::vector<int>;

}  // namespace

TEST_CASE("a capture does nothing, and each launch of its graph does all of it") {
  DeviceArray<int> value(Values{1});
  const Stream stream;
  int copied = 0, calls = 0;
  begin(stream);
  {
    // The launch keeps the arguments that it had.
    int amount = 2;
    add<<<1, 1, 0, stream>>>(value, amount);
    amount = 100;
  }
  subtract<<<1, 1, 0, stream>>>(static_cast<int*>(value), 1);
  REQUIRE(cudaMemcpyAsync(&copied, value, sizeof copied, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  REQUIRE(cudaLaunchHostFunc(stream, count_call, &calls) == cudaSuccess);
  const cudaGraph_t graph = end(stream);
  REQUIRE(value.values() == Values{1});
  REQUIRE((copied == 0 && calls == 0));
  REQUIRE(nodes_of(graph) == 4);
  const cudaGraphExec_t twice = executable(graph);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(twice, stream) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(twice, stream) == cudaSuccess);
  REQUIRE(value.values() == Values{3});
  REQUIRE((copied == 3 && calls == 2));
  REQUIRE(cudaGraphExecDestroy(twice) == cudaSuccess);
}

TEST_CASE("a stream joins a capture by an event, and has to come back") {
  DeviceArray<int> value(Values{0});
  const Stream first, second;
  cudaEvent_t fork = nullptr, join = nullptr;
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  REQUIRE(cudaEventCreate(&join) == cudaSuccess);
  const auto capture = [&](bool comes_back) {
    begin(first);
    REQUIRE(cudaEventRecord(fork, first) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(second, fork) == cudaSuccess);
    add<<<1, 1, 0, second>>>(value, 5);
    REQUIRE(cudaEventRecord(join, second) == cudaSuccess);
    if (comes_back) REQUIRE(cudaStreamWaitEvent(first, join) == cudaSuccess);
    multiply<<<1, 1, 0, first>>>(value, 3);
  };
  capture(true);
  const cudaGraph_t graph = end(first);
  const cudaGraphExec_t once = executable(graph);
  REQUIRE(cudaGraphLaunch(once, first) == cudaSuccess);
  REQUIRE(value.values() == Values{15});
  capture(false);
  cudaGraph_t none = nullptr;
  REQUIRE(cudaStreamEndCapture(first, &none) == cudaErrorStreamCaptureUnjoined);
  REQUIRE(none == nullptr);
  static_cast<void>(cudaGetLastError());
  add<<<1, 1, 0, second>>>(value, 1);  // which is no longer captured
  REQUIRE(value.values() == Values{16});
}

TEST_CASE("what a captured stream cannot do is an error") {
  const Stream stream;
  begin(stream);
  REQUIRE(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
  int* memory = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 4, stream) == cudaErrorStreamCaptureUnsupported);
  cudaStreamCaptureStatus status{};
  REQUIRE(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  REQUIRE(status == cudaStreamCaptureStatusActive);
  REQUIRE(cudaGraphDestroy(end(stream)) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
          cudaErrorStreamCaptureUnsupported);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a thread exchanges its mode of capture") {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  REQUIRE(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  REQUIRE(mode == cudaStreamCaptureModeGlobal);
  REQUIRE(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  REQUIRE(mode == cudaStreamCaptureModeRelaxed);
}

TEST_CASE("an executable skips the nodes that are turned off") {
  DeviceArray<int> value(Values{0});
  const Stream stream;
  begin(stream);
  add<<<1, 1, 0, stream>>>(value, 1);
  add<<<1, 1, 0, stream>>>(value, 10);
  const cudaGraph_t graph = end(stream);
  cudaGraphNode_t nodes[2];
  std::size_t count = 2;
  REQUIRE(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
          cudaSuccess);
  unsigned is_enabled = 2;
  REQUIRE(cudaGraphNodeGetEnabled(executable, nodes[0], &is_enabled) == cudaSuccess);
  REQUIRE(is_enabled == 1);
  REQUIRE(cudaGraphNodeSetEnabled(executable, nodes[0], 0) == cudaSuccess);
  REQUIRE(cudaGraphNodeGetEnabled(executable, nodes[0], &is_enabled) == cudaSuccess);
  REQUIRE(is_enabled == 0);
  REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
  REQUIRE(value.values() == Values{10});
  REQUIRE(cudaGraphNodeSetEnabled(executable, nodes[0], 1) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
  REQUIRE(value.values() == Values{21});
  REQUIRE(cudaGraphNodeSetEnabled(executable, nullptr, 1) == cudaErrorInvalidValue);
  cudaGraphExec_t of_kernel = nullptr;
  REQUIRE(cudaGraphInstantiate(&of_kernel, graph, cudaGraphInstantiateFlagDeviceLaunch) ==
          cudaErrorNotSupported);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("nodes are added by hand, cloned, and get other parameters") {
  DeviceArray<int> value(Values{0});
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaMemsetParams fill{};
  fill.dst = value;
  fill.value = 0x01020304;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  cudaGraphNode_t filled = nullptr, added = nullptr, copied = nullptr;
  REQUIRE(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill) == cudaSuccess);
  int* pointer = value;
  int amount = 1;
  void* arguments[] = {&pointer, &amount};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  REQUIRE(cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel) == cudaSuccess);
  amount = 50;  // the node has its own
  int result = 0;
  REQUIRE(cudaGraphAddMemcpyNode1D(&copied, graph, &added, 1, &result, value, sizeof result,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  REQUIRE(nodes_of(clone) == 3);
  REQUIRE(cudaGraphLaunch(executable(clone), nullptr) == cudaSuccess);
  REQUIRE(result == 0x01020305);
  const cudaGraphExec_t changed = executable(graph);
  REQUIRE(cudaGraphExecKernelNodeSetParams(changed, added, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(changed, nullptr) == cudaSuccess);
  REQUIRE(result == 0x01020304 + 50);
}

TEST_CASE("a graph of the same shape updates an executable, another does not") {
  DeviceArray<int> value(Values{0});
  const Stream stream;
  const auto graph_of = [&](int amount, int count) {
    begin(stream);
    for (int i = 0; i < count; ++i) add<<<1, 1, 0, stream>>>(value, amount);
    return end(stream);
  };
  const cudaGraphExec_t once = executable(graph_of(1, 1));
  cudaGraphExecUpdateResultInfo info{};
  REQUIRE(cudaGraphExecUpdate(once, graph_of(7, 1), &info) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(once, stream) == cudaSuccess);
  REQUIRE(value.values() == Values{7});
  REQUIRE(cudaGraphExecUpdate(once, graph_of(7, 2), &info) == cudaErrorGraphExecUpdateFailure);
  REQUIRE(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  static_cast<void>(cudaGetLastError());
}

// An H200 gave these errors, but was not asked to destroy a node twice.
TEST_CASE("dependencies are added and removed by hand, and order the nodes") {
  DeviceArray<int> value(Values{1});
  int* pointer = value;
  int amount = 2, factor = 10;
  void *of_add[] = {&pointer, &amount}, *of_multiply[] = {&pointer, &factor};
  cudaKernelNodeParams adds{}, multiplies{};
  adds.func = reinterpret_cast<void*>(add), adds.kernelParams = of_add;
  multiplies.func = reinterpret_cast<void*>(multiply), multiplies.kernelParams = of_multiply;
  adds.gridDim = adds.blockDim = multiplies.gridDim = multiplies.blockDim = 1;
  cudaGraph_t graph = nullptr, clone = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr, third = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &adds) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &multiplies) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&third, graph, nullptr, 0) == cudaSuccess);
  const auto depend = [&](cudaGraphNode_t from, cudaGraphNode_t to) {
    return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
  };
  const auto remove = [&](cudaGraphNode_t from, cudaGraphNode_t to) {
    return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
  };
  REQUIRE(depend(first, second) == cudaSuccess);
  REQUIRE(depend(first, second) == cudaErrorInvalidValue);
  REQUIRE(depend(first, first) == cudaErrorInvalidValue);
  REQUIRE(remove(second, third) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphAddDependencies(graph, nullptr, &first, nullptr, 1) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable(clone), nullptr) == cudaSuccess);
  REQUIRE(value.values() == Values{12});

  cudaGraphExec_t made = nullptr;
  REQUIRE(depend(second, third) == cudaSuccess);
  REQUIRE(depend(third, first) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&made, graph, 0ull) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphDestroyNode(third) == cudaSuccess);
  REQUIRE(cudaGraphDestroyNode(third) == cudaErrorInvalidValue);
  REQUIRE(nodes_of(graph) == 2);
  REQUIRE(cudaGraphLaunch(executable(graph), nullptr) == cudaSuccess);
  REQUIRE(value.values() == Values{122});
  REQUIRE(remove(first, second) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(clone) == cudaSuccess);
  static_cast<void>(cudaGetLastError());
}
