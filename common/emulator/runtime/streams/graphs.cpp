#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/graph.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"

namespace tilelab::emulator {
namespace {

std::unordered_map<cudaGraph_t, std::unique_ptr<CUgraph_st>>& graphs() {
  static auto* map = new std::unordered_map<cudaGraph_t, std::unique_ptr<CUgraph_st>>;
  return *map;
}

std::unordered_map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>>& executables() {
  static auto* map = new std::unordered_map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>>;
  return *map;
}

/// Whether not each step runs after the one before.
bool branches(const std::vector<CUgraphExec_st::Step>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const std::vector<std::size_t>& after = steps[i].after;
    if (after.empty() || after.back() != i - 1) return true;
  }
  return false;
}

bool is_executable(cudaGraphExec_t executable) { return executables().contains(executable); }

/// The step that was made of the node, if it can be turned off. Null if there is none.
CUgraphExec_st::Step* step_with_switch(cudaGraphExec_t executable, cudaGraphNode_t node) {
  if (!is_executable(executable)) return nullptr;
  const auto found =
      std::ranges::find(executable->steps, node, [](const auto& step) { return step.node; });
  if (found == executable->steps.end()) return nullptr;
  const bool has_switch = found->type == cudaGraphNodeTypeKernel ||
                          found->type == cudaGraphNodeTypeMemcpy ||
                          found->type == cudaGraphNodeTypeMemset;
  return has_switch ? &*found : nullptr;
}

cudaError_t nodes_wait_for_each_other() {
  return explained(cudaErrorInvalidValue,
                   "The graph's dependencies form a circle: its nodes wait for each other");
}

/// What the second set of steps has that the first does not.
cudaGraphExecUpdateResult difference(const std::vector<CUgraphExec_st::Step>& old_steps,
                                     const std::vector<CUgraphExec_st::Step>& new_steps) {
  if (old_steps.size() != new_steps.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < old_steps.size(); ++i) {
    if (old_steps[i].after != new_steps[i].after) return cudaGraphExecUpdateErrorTopologyChanged;
    if (old_steps[i].type != new_steps[i].type) return cudaGraphExecUpdateErrorNodeTypeChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

bool is_graph(cudaGraph_t graph) { return graphs().contains(graph); }

cudaGraph_t graph_of(cudaGraphNode_t node) {
  for (const auto& [graph, owned] : graphs()) {
    const bool has_it = std::any_of(graph->nodes.begin(), graph->nodes.end(),
                                    [node](const auto& known) { return known.get() == node; });
    if (has_it) return graph;
  }
  return nullptr;
}

cudaGraph_t new_graph() {
  auto made = std::make_unique<CUgraph_st>();
  const cudaGraph_t graph = made.get();
  graphs().emplace(graph, std::move(made));
  return graph;
}

void delete_graph(cudaGraph_t graph) { graphs().erase(graph); }

cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type,
                         const std::vector<cudaGraphNode_t>& after, Work work,
                         NodeParameters parameters) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
      CUgraphNode_st{type, std::move(work), after, std::move(parameters)}));
  return graph->nodes.back().get();
}

// The order of adding is one to run in, unless the program adds dependencies later.
std::optional<std::vector<CUgraphExec_st::Step>> steps_of(const CUgraph_st& graph) {
  std::vector<CUgraphExec_st::Step> steps;
  std::map<cudaGraphNode_t, std::size_t> places;
  const auto is_placed = [&](cudaGraphNode_t node) { return places.contains(node); };
  while (steps.size() < graph.nodes.size()) {
    const std::size_t placed_before = steps.size();
    for (const auto& node : graph.nodes) {
      const bool can_run = std::all_of(node->after.begin(), node->after.end(), is_placed);
      if (is_placed(node.get()) || !can_run) continue;
      places[node.get()] = steps.size();
      CUgraphExec_st::Step step{node.get(), node->type, {}, node->work};
      for (const cudaGraphNode_t before : node->after) step.after.push_back(places.at(before));
      std::sort(step.after.begin(), step.after.end());
      steps.push_back(std::move(step));
    }
    if (steps.size() == placed_before) return std::nullopt;
  }
  return steps;
}

cudaError_t run_steps(const std::vector<CUgraphExec_st::Step>& steps, const void* executable) {
  cudaError_t error = cudaSuccess;
  tell(&Listener::graph_begins, StreamOfWork::of(nullptr), executable, branches(steps));
  for (const CUgraphExec_st::Step& step : steps) {
    tell(&Listener::graph_step_begins, std::span(step.after));
    if (step.work && step.is_enabled) error = step.work();
    if (error != cudaSuccess) break;
  }
  tell(&Listener::graph_ends);
  return error;
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return api_call([&] {
    if (!can_answer(graph)) return cudaErrorInvalidValue;
    *graph = new_graph();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api_call([&] {
    if (!can_answer(clone) || !is_graph(graph)) return cudaErrorInvalidValue;
    *clone = new_graph();
    std::map<cudaGraphNode_t, cudaGraphNode_t> clones;
    for (const auto& node : graph->nodes) {
      clones[node.get()] = add_node(*clone, node->type, {}, node->work, node->parameters);
      clones[node.get()]->copied_from = node.get();
    }
    for (const auto& node : graph->nodes) {
      std::vector<cudaGraphNode_t>& after = clones.at(node.get())->after;
      for (const cudaGraphNode_t before : node->after) after.push_back(clones.at(before));
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_call([&] {
    if (!is_graph(graph)) return cudaErrorInvalidValue;
    delete_graph(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api_call(
      [&] { return node != nullptr ? answer(type, node->type) : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return api_call([&] {
    if (!can_answer(executable) || !is_graph(graph)) return cudaErrorInvalidValue;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
      return explained(cudaErrorNotSupported, "The emulator launches no graphs from kernels");
    }
    auto steps = steps_of(*graph);
    if (!steps) return nodes_wait_for_each_other();
    auto made = std::make_unique<CUgraphExec_st>(CUgraphExec_st{std::move(*steps)});
    *executable = made.get();
    executables().emplace(*executable, std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return api_call([&] {
    return is_executable(executable) && is_stream(stream) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return api_call([&] {
    if (!is_executable(executable)) return cudaErrorInvalidValue;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (is_capturing(stream)) {
      return capture(stream, cudaGraphNodeTypeGraph,
                     [steps = executable->steps] { return run_steps(steps); });
    }
    const StreamOfWork in(stream);
    return run_steps(executable->steps, executable);
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api_call(
      [&] { return executables().erase(executable) != 0 ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return api_call([&] {
    if (!is_executable(executable) || !is_graph(graph) || !can_answer(result)) {
      return cudaErrorInvalidValue;
    }
    auto steps = steps_of(*graph);
    if (!steps) return nodes_wait_for_each_other();
    *result = {difference(executable->steps, *steps), nullptr, nullptr};
    if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    // The steps keep the nodes that the program knows them by.
    for (std::size_t i = 0; i < steps->size(); ++i) {
      executable->steps[i].work = std::move((*steps)[i].work);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned is_enabled) {
  return api_call([&] {
    CUgraphExec_st::Step* const step = step_with_switch(executable, node);
    if (step == nullptr) return cudaErrorInvalidValue;
    step->is_enabled = is_enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* is_enabled) {
  return api_call([&] {
    const CUgraphExec_st::Step* const step = step_with_switch(executable, node);
    return step != nullptr ? answer(is_enabled, step->is_enabled ? 1u : 0u) : cudaErrorInvalidValue;
  });
}

}  // extern "C"
