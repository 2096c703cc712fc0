// Nodes that a program adds to a graph by hand.

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/streams/graph.h"
#include "emulator/runtime/streams/node_content.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"

namespace tilelab::emulator {
namespace {

/// Adds a node, if all before it are in the same graph.
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                std::size_t count, cudaGraphNodeType type, NodeContent content) {
  if (content.error != cudaSuccess) return content.error;
  if (!can_answer(node) || !is_graph(graph) || (after == nullptr && count > 0)) {
    return cudaErrorInvalidValue;
  }
  const std::vector<cudaGraphNode_t> before(after, after + count);
  for (const cudaGraphNode_t one : before) {
    if (graph_of(one) != graph) return cudaErrorInvalidValue;
  }
  *node = add_node(graph, type, before, std::move(content.work), std::move(content.parameters));
  return cudaSuccess;
}

}  // namespace
}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* parameters, Site site) {
  return api_call([&] {
    return add(node, graph, after, count, cudaGraphNodeTypeKernel, content_of(parameters, site));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    return add(node, graph, after, count, cudaGraphNodeTypeMemcpy, content_of(parameters));
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t count,
                                     void* destination, const void* source, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return api_call([&] {
    return add(node, graph, after, count, cudaGraphNodeTypeMemcpy,
               content_of_copy(destination, source, bytes, kind));
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemsetParams* parameters) {
  return api_call([&] {
    return add(node, graph, after, count, cudaGraphNodeTypeMemset, content_of(parameters));
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return api_call([&] {
    return add(node, graph, after, count, cudaGraphNodeTypeHost, content_of(parameters));
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, std::size_t count,
                                       cudaGraph_t child) {
  return api_call([&] {
    const auto steps = is_graph(child) ? steps_of(*child) : std::nullopt;
    if (!steps) return cudaErrorInvalidValue;
    return add(node, graph, after, count, cudaGraphNodeTypeGraph,
               {cudaSuccess, [steps = *steps] { return run_steps(steps); }});
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t count) {
  return api_call(
      [&] { return add(node, graph, after, count, cudaGraphNodeTypeEmpty, {cudaSuccess}); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, std::size_t count,
                                        cudaEvent_t event) {
  return api_call([&] {
    return add(
        node, graph, after, count, cudaGraphNodeTypeEventRecord,
        {cudaSuccess, [event] { return cudaEventRecord(event, StreamOfWork::of(nullptr)); }});
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, std::size_t count,
                                      cudaEvent_t event) {
  return api_call([&] {
    const Work wait = [event] { return cudaStreamWaitEvent(StreamOfWork::of(nullptr), event); };
    return add(node, graph, after, count, cudaGraphNodeTypeWaitEvent, {cudaSuccess, wait});
  });
}

}  // extern "C"
