// What a program asks of a graph's nodes, and changes in them.

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/streams/node_content.h"

namespace tilelab::emulator {
namespace {

bool is_of_type(cudaGraphNode_t node, cudaGraphNodeType type) {
  return node != nullptr && graph_of(node) != nullptr && node->type == type;
}

/// Changes what a node does from now on. What was made of its graph before stays.
cudaError_t set(cudaGraphNode_t node, cudaGraphNodeType type, NodeContent content) {
  if (content.error != cudaSuccess) return content.error;
  if (!is_of_type(node, type)) return cudaErrorInvalidValue;
  node->work = std::move(content.work);
  node->parameters = std::move(content.parameters);
  return cudaSuccess;
}

/// Changes the step that was made of this node.
cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                NodeContent content) {
  if (content.error != cudaSuccess) return content.error;
  if (executable == nullptr) return cudaErrorInvalidValue;
  for (CUgraphExec_st::Step& step : executable->steps) {
    if (step.node != node || step.type != type) continue;
    step.work = std::move(content.work);
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

/// Answers with what the program said when it made or changed the node.
template <class Parameters>
cudaError_t get(cudaGraphNode_t node, cudaGraphNodeType type, Parameters* parameters) {
  if (!is_of_type(node, type)) return cudaErrorInvalidValue;
  const auto* const known = std::get_if<Parameters>(&node->parameters);
  if (known != nullptr) return answer(parameters, *known);
  return explained(cudaErrorNotSupported,
                   "The emulator keeps no parameters of copies, fills and host functions that were "
                   "captured");
}

}  // namespace
}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api_call([&] {
    if (!can_answer(parameters) || !is_of_type(node, cudaGraphNodeTypeKernel)) {
      return cudaErrorInvalidValue;
    }
    auto& launch = node->parameters.emplace<DescribedLaunch>(describe_launch(node->work));
    const LaunchConfiguration& how = launch.configuration;
    *parameters = {const_cast<void*>(launch.kernel),
                   how.grid,
                   how.block,
                   static_cast<unsigned>(how.dynamic_shared_bytes),
                   launch.arguments.data(),
                   nullptr};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return api_call([&] { return get(node, cudaGraphNodeTypeMemcpy, parameters); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return api_call([&] { return get(node, cudaGraphNodeTypeMemset, parameters); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return api_call([&] { return get(node, cudaGraphNodeTypeHost, parameters); });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters, Site site) {
  return api_call([&] { return set(node, cudaGraphNodeTypeKernel, content_of(parameters, site)); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return api_call([&] { return set(node, cudaGraphNodeTypeMemcpy, content_of(parameters)); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  return api_call([&] {
    return set(node, cudaGraphNodeTypeMemcpy, content_of_copy(destination, source, bytes, kind));
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return api_call([&] { return set(node, cudaGraphNodeTypeMemset, content_of(parameters)); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return api_call([&] { return set(node, cudaGraphNodeTypeHost, content_of(parameters)); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters, Site site) {
  return api_call(
      [&] { return set(executable, node, cudaGraphNodeTypeKernel, content_of(parameters, site)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return api_call(
      [&] { return set(executable, node, cudaGraphNodeTypeMemcpy, content_of(parameters)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source,
                                               std::size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    return set(executable, node, cudaGraphNodeTypeMemcpy,
               content_of_copy(destination, source, bytes, kind));
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return api_call(
      [&] { return set(executable, node, cudaGraphNodeTypeMemset, content_of(parameters)); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return api_call(
      [&] { return set(executable, node, cudaGraphNodeTypeHost, content_of(parameters)); });
}

}  // extern "C"
