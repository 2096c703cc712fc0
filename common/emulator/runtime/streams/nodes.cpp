// Nodes that a program adds to a graph by hand.

#include <algorithm>
#include <unordered_map>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/streams/graph.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"

namespace tilelab::emulator {
namespace {

std::unordered_map<const void*, MakeLaunch>& kernels() {
  static auto* map = new std::unordered_map<const void*, MakeLaunch>;
  return *map;
}

/// Adds a node, if all before it are in the same graph.
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                std::size_t count, cudaGraphNodeType type, Work work) {
  if (!can_answer(node) || !is_graph(graph) || (after == nullptr && count > 0)) {
    return cudaErrorInvalidValue;
  }
  const std::vector<cudaGraphNode_t> before(after, after + count);
  for (const cudaGraphNode_t one : before) {
    if (graph_of(one) != graph) return cudaErrorInvalidValue;
  }
  *node = add_node(graph, type, before, std::move(work));
  return cudaSuccess;
}

/// The launch that the parameters describe, or none if the kernel is not known.
Work launch_of(const cudaKernelNodeParams& parameters, Site site) {
  const auto found = kernels().find(parameters.func);
  if (found == kernels().end()) return nullptr;
  LaunchConfiguration configuration;
  configuration.grid = parameters.gridDim;
  configuration.block = parameters.blockDim;
  configuration.dynamic_shared_bytes = parameters.sharedMemBytes;
  configuration.site = site;
  return found->second(parameters.kernelParams, configuration);
}

cudaError_t unknown_kernel() {
  return explained(cudaErrorInvalidDeviceFunction,
                   "A graph's kernel must be a function of the file that makes its node, and no "
                   "template");
}

cudaError_t fill(const cudaMemsetParams& what) {
  const NameOfWork name("cudaMemset");
  const std::size_t row = what.width * what.elementSize;
  std::vector<unsigned char> values(row);
  for (std::size_t i = 0; i < row; ++i) {
    values[i] = static_cast<unsigned char>(what.value >> (8 * (i % what.elementSize)));
  }
  for (std::size_t y = 0; y < what.height; ++y) {
    if (const cudaError_t error = cudaMemcpy(static_cast<char*>(what.dst) + y * what.pitch,
                                             values.data(), row, cudaMemcpyHostToDevice)) {
      return error;
    }
  }
  return cudaSuccess;
}

bool is_valid(const cudaMemsetParams* what) {
  return what != nullptr &&
         (what->elementSize == 1 || what->elementSize == 2 || what->elementSize == 4);
}

Work host_work(const cudaHostNodeParams& what) {
  return [what] {
    call_host_function(nullptr, [what] { what.fn(what.userData); });
    return cudaSuccess;
  };
}

/// Replaces the work of a step that was made of this node.
cudaError_t replace(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                    Work work) {
  if (executable == nullptr) return cudaErrorInvalidValue;
  for (CUgraphExec_st::Step& step : executable->steps) {
    if (step.node != node || step.type != type) continue;
    step.work = std::move(work);
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

}  // namespace

void register_kernel(const void* kernel, MakeLaunch make) { kernels()[kernel] = std::move(make); }

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* parameters, Site site) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    Work work = launch_of(*parameters, site);
    if (!work) return unknown_kernel();
    return add(node, graph, after, count, cudaGraphNodeTypeKernel, std::move(work));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return add(node, graph, after, count, cudaGraphNodeTypeMemcpy,
               [what = *parameters] { return cudaMemcpy3D(&what); });
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t count,
                                     void* destination, const void* source, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return api_call([&] {
    return add(node, graph, after, count, cudaGraphNodeTypeMemcpy,
               [=] { return cudaMemcpy(destination, source, bytes, kind); });
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemsetParams* parameters) {
  return api_call([&] {
    if (!is_valid(parameters)) return cudaErrorInvalidValue;
    return add(node, graph, after, count, cudaGraphNodeTypeMemset,
               [what = *parameters] { return fill(what); });
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
    return add(node, graph, after, count, cudaGraphNodeTypeHost, host_work(*parameters));
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, std::size_t count,
                                       cudaGraph_t child) {
  return api_call([&] {
    const auto steps = is_graph(child) ? steps_of(*child) : std::nullopt;
    if (!steps) return cudaErrorInvalidValue;
    return add(node, graph, after, count, cudaGraphNodeTypeGraph,
               [steps = *steps] { return run_steps(steps); });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t count) {
  return api_call([&] { return add(node, graph, after, count, cudaGraphNodeTypeEmpty, nullptr); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters, Site site) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    Work work = launch_of(*parameters, site);
    if (!work) return unknown_kernel();
    return replace(executable, node, cudaGraphNodeTypeKernel, std::move(work));
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return replace(executable, node, cudaGraphNodeTypeMemcpy,
                   [what = *parameters] { return cudaMemcpy3D(&what); });
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return api_call([&] {
    if (!is_valid(parameters)) return cudaErrorInvalidValue;
    return replace(executable, node, cudaGraphNodeTypeMemset,
                   [what = *parameters] { return fill(what); });
  });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
    return replace(executable, node, cudaGraphNodeTypeHost, host_work(*parameters));
  });
}

}  // extern "C"
