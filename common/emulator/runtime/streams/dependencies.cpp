// What a program changes in a graph by hand: which nodes wait for which, and that a node goes.

#include <algorithm>

#include "cuda_runtime_api.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/streams/graph.h"

namespace tilelab::emulator {
namespace {

/// Calls `change(from[i], to[i])` for each pair, if all are different nodes of the graph. Stops at
/// an error.
template <class Change>
cudaError_t for_each_pair(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                          std::size_t count, Change change) {
  if (!is_graph(graph)) return cudaErrorInvalidValue;
  if (count > 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    if (graph_of(from[i]) != graph || graph_of(to[i]) != graph || from[i] == to[i]) {
      return cudaErrorInvalidValue;
    }
    if (const cudaError_t error = change(from[i], to[i])) return error;
  }
  return cudaSuccess;
}

bool waits_for(cudaGraphNode_t node, cudaGraphNode_t other) {
  return std::find(node->after.begin(), node->after.end(), other) != node->after.end();
}

}  // namespace
}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     std::size_t count) {
  return api_call([&] {
    return for_each_pair(graph, from, to, count, [](cudaGraphNode_t before, cudaGraphNode_t node) {
      if (waits_for(node, before)) return cudaErrorInvalidValue;
      node->after.push_back(before);
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        std::size_t count) {
  return api_call([&] {
    return for_each_pair(graph, from, to, count, [](cudaGraphNode_t before, cudaGraphNode_t node) {
      return std::erase(node->after, before) != 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api_call([&] {
    const cudaGraph_t graph = graph_of(node);
    if (graph == nullptr) return cudaErrorInvalidValue;
    for (const auto& other : graph->nodes) std::erase(other->after, node);
    std::erase_if(graph->nodes, [node](const auto& other) { return other.get() == node; });
    return cudaSuccess;
  });
}

}  // extern "C"
