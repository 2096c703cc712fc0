// Which of a graph's nodes wait for which: what a program asks, and what it changes by hand.

#include <algorithm>
#include <span>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
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

/// Writes as many items as there is room for; without an array, it only counts.
template <class Item>
void write_list(const std::vector<Item>& items, Item* to, std::size_t room) {
  if (to == nullptr) return;
  for (std::size_t i = 0; i < room; ++i) to[i] = i < items.size() ? items[i] : Item{};
}

template <class Item>
cudaError_t answer_list(const std::vector<Item>& items, Item* to, std::size_t* count) {
  if (!can_answer(count)) return cudaErrorInvalidValue;
  write_list(items, to, *count);
  *count = to == nullptr ? items.size() : std::min(*count, items.size());
  return cudaSuccess;
}

/// The nodes of the graph for which `is_wanted(node)` holds.
template <class Predicate>
std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph, Predicate is_wanted) {
  std::vector<cudaGraphNode_t> nodes;
  for (const auto& node : graph->nodes) {
    if (is_wanted(node.get())) nodes.push_back(node.get());
  }
  return nodes;
}

/// All dependencies: from[i] comes before to[i].
struct Edges {
  std::vector<cudaGraphNode_t> from, to;
};

Edges edges_of(cudaGraph_t graph) {
  Edges edges;
  for (const auto& node : graph->nodes) {
    for (const cudaGraphNode_t before : node->after) {
      edges.from.push_back(before);
      edges.to.push_back(node.get());
    }
  }
  return edges;
}

/// Edges without data of their own.
void write_data(cudaGraphEdgeData* data, std::size_t count) {
  if (data != nullptr) std::fill_n(data, count, cudaGraphEdgeData{});
}

}  // namespace
}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return api_call([&] {
    if (!is_graph(graph)) return cudaErrorInvalidValue;
    return answer_list(nodes_of(graph, [](cudaGraphNode_t) { return true; }), nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return api_call([&] {
    if (!is_graph(graph)) return cudaErrorInvalidValue;
    const auto is_root = [](cudaGraphNode_t node) { return node->after.empty(); };
    return answer_list(nodes_of(graph, is_root), nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
  return api_call([&] {
    if (!is_graph(graph) || !can_answer(count) || (from == nullptr) != (to == nullptr)) {
      return cudaErrorInvalidValue;
    }
    const Edges edges = edges_of(graph);
    write_list(edges.from, from, *count);
    if (from != nullptr) write_data(data, *count);
    return answer_list(edges.to, to, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, std::size_t* count) {
  return api_call([&] {
    if (graph_of(node) == nullptr || !can_answer(count)) return cudaErrorInvalidValue;
    if (nodes != nullptr) write_data(data, *count);
    return answer_list(node->after, nodes, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, std::size_t* count) {
  return api_call([&] {
    const cudaGraph_t graph = graph_of(node);
    if (graph == nullptr || !can_answer(count)) return cudaErrorInvalidValue;
    if (nodes != nullptr) write_data(data, *count);
    const auto is_later = [node](cudaGraphNode_t other) { return waits_for(other, node); };
    return answer_list(nodes_of(graph, is_later), nodes, count);
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node,
                                     cudaGraph_t clone) {
  return api_call([&] {
    if (!is_graph(clone) || !can_answer(found)) return cudaErrorInvalidValue;
    const auto is_copy = [node](cudaGraphNode_t other) { return other->copied_from == node; };
    const std::vector<cudaGraphNode_t> copies = nodes_of(clone, is_copy);
    return copies.empty() ? cudaErrorInvalidValue : answer(found, copies.front());
  });
}

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
