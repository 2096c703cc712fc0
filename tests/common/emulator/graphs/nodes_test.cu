// What a program can ask of a graph's nodes and change in them.

#include "device.h"

namespace {

__global__ void add(int* value, int amount) { *value += amount; }
__global__ void multiply(int* value, int factor) { *value *= factor; }

using Nodes = std::vector<cudaGraphNode_t>;
using Values = std::vector<int>;

void count_call(void* calls) { ++*static_cast<int*>(calls); }

cudaKernelNodeParams parameters_of(void (*kernel)(int*, int), void** arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = parameters.blockDim = 1;
  parameters.kernelParams = arguments;
  return parameters;
}

void launch(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0ull) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
}

}  // namespace

TEST_CASE("a kernel's node tells its launch, and takes another") {
  DeviceArray<int> value(Values{1});
  int* pointer = value;
  int amount = 2;
  void* arguments[] = {&pointer, &amount};
  cudaKernelNodeParams parameters = parameters_of(add, arguments);
  parameters.sharedMemBytes = 16;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters) == cudaSuccess);
  amount = 50;

  cudaKernelNodeParams known{};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &known) == cudaSuccess);
  REQUIRE((known.func == parameters.func && known.sharedMemBytes == 16));
  REQUIRE((known.gridDim.x == 1 && known.blockDim.x == 1));
  REQUIRE(*static_cast<int**>(known.kernelParams[0]) == pointer);
  REQUIRE(*static_cast<int*>(known.kernelParams[1]) == 2);
  REQUIRE(value.values() == Values{1});

  known.func = reinterpret_cast<void*>(multiply);
  known.kernelParams[1] = &amount;
  REQUIRE(cudaGraphKernelNodeSetParams(node, &known) == cudaSuccess);
  launch(graph);
  REQUIRE(value.values() == Values{50});
  cudaMemsetParams wrong{};
  REQUIRE(cudaGraphMemsetNodeGetParams(node, &wrong) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  REQUIRE(cudaGraphKernelNodeGetParams(node, &known) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a captured launch tells its arguments, and an executable takes others") {
  DeviceArray<int> value(Values{1});
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(value, 3);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  REQUIRE(cudaGraphGetRootNodes(graph, &node, &count) == cudaSuccess);
  cudaKernelNodeParams known{};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &known) == cudaSuccess);
  REQUIRE(*static_cast<int*>(known.kernelParams[1]) == 3);

  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0ull) == cudaSuccess);
  int amount = 8;
  known.kernelParams[1] = &amount;
  REQUIRE(cudaGraphExecKernelNodeSetParams(executable, node, &known) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
  REQUIRE(value.values() == Values{9});
  launch(graph);
  REQUIRE(value.values() == Values{12});
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("copies, fills and host functions tell what they were made of, and change") {
  DeviceArray<int> to(Values{0, 0}), from(Values{5, 6});
  int calls = 0, others = 0;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t copy = nullptr, fill = nullptr, call = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, static_cast<int*>(to),
                                   static_cast<int*>(from), 4,
                                   cudaMemcpyDeviceToDevice) == cudaSuccess);
  cudaMemsetParams filling{static_cast<int*>(to) + 1, 4, 7, 4, 1, 1};
  REQUIRE(cudaGraphAddMemsetNode(&fill, graph, &copy, 1, &filling) == cudaSuccess);
  const cudaHostNodeParams calling{count_call, &calls};
  REQUIRE(cudaGraphAddHostNode(&call, graph, &fill, 1, &calling) == cudaSuccess);

  cudaMemcpy3DParms copied{};
  REQUIRE(cudaGraphMemcpyNodeGetParams(copy, &copied) == cudaSuccess);
  REQUIRE((copied.srcPtr.ptr == static_cast<int*>(from) && copied.extent.width == 4));
  cudaMemsetParams filled{};
  REQUIRE(cudaGraphMemsetNodeGetParams(fill, &filled) == cudaSuccess);
  REQUIRE(filled.value == 7);
  cudaHostNodeParams called{};
  REQUIRE(cudaGraphHostNodeGetParams(call, &called) == cudaSuccess);
  REQUIRE(called.userData == &calls);

  REQUIRE(cudaGraphMemcpyNodeSetParams1D(copy, static_cast<int*>(to), static_cast<int*>(from) + 1,
                                         4, cudaMemcpyDeviceToDevice) == cudaSuccess);
  filled.value = 9;
  REQUIRE(cudaGraphMemsetNodeSetParams(fill, &filled) == cudaSuccess);
  called.userData = &others;
  REQUIRE(cudaGraphHostNodeSetParams(call, &called) == cudaSuccess);
  launch(graph);
  REQUIRE(to.values() == Values{6, 9});
  REQUIRE((calls == 0 && others == 1));
}

TEST_CASE("a graph tells which nodes wait for which") {
  cudaGraph_t graph = nullptr, clone = nullptr;
  Nodes nodes(3);
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&nodes[1], graph, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&nodes[2], graph, nodes.data(), 2) == cudaSuccess);
  std::size_t count = 0;
  REQUIRE(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess);
  REQUIRE(count == 2);
  Nodes from(3), to(3);
  count = 3;
  REQUIRE(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count) == cudaSuccess);
  REQUIRE(count == 2);
  REQUIRE(from == Nodes{nodes[0], nodes[1], nullptr});
  REQUIRE(to == Nodes{nodes[2], nodes[2], nullptr});
  REQUIRE(cudaGraphNodeGetDependencies(nodes[2], from.data(), nullptr, &count) == cudaSuccess);
  REQUIRE((count == 2 && from[1] == nodes[1]));
  count = 1;
  REQUIRE(cudaGraphNodeGetDependentNodes(nodes[0], to.data(), nullptr, &count) == cudaSuccess);
  REQUIRE((count == 1 && to[0] == nodes[2]));
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  cudaGraphNode_t copy = nullptr;
  REQUIRE(cudaGraphNodeFindInClone(&copy, nodes[2], clone) == cudaSuccess);
  REQUIRE(cudaGraphNodeGetDependencies(copy, nullptr, nullptr, &count) == cudaSuccess);
  REQUIRE((copy != nodes[2] && count == 2));
  REQUIRE(cudaGraphNodeFindInClone(&copy, copy, clone) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("nodes record an event and wait for it") {
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t record = nullptr, wait = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event) == cudaSuccess);
  REQUIRE(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event) == cudaSuccess);
  cudaGraphNodeType type{};
  REQUIRE(cudaGraphNodeGetType(wait, &type) == cudaSuccess);
  REQUIRE(type == cudaGraphNodeTypeWaitEvent);
  launch(graph);
  float milliseconds = -1;
  REQUIRE(cudaEventElapsedTime(&milliseconds, event, event) == cudaSuccess);
  REQUIRE(milliseconds == 0);
}

TEST_CASE("the rows of an array are filled in a stream") {
  DeviceArray<int> values(Values{1, 1, 1, 1});
  REQUIRE(cudaMemset2DAsync(static_cast<int*>(values), 8, 0, 4, 2) == cudaSuccess);
  REQUIRE(values.values() == Values{0, 1, 0, 1});
}
