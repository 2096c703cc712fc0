#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "emulated/graphs/graph_api.h"
#include "emulated/graphs/kept_launch.h"
#include "emulator/runtime/streams/described_launch.h"

namespace tilelab::emulator {

/// What a program said of a node that it made by hand, or asked of a kernel's.
using NodeParameters = std::variant<std::monostate, DescribedLaunch, cudaMemcpy3DParms,
                                    cudaMemsetParams, cudaHostNodeParams>;

}  // namespace tilelab::emulator

struct CUgraphNode_st {
  cudaGraphNodeType type;
  tilelab::emulator::Work work;
  std::vector<cudaGraphNode_t> after;
  tilelab::emulator::NodeParameters parameters;
  cudaGraphNode_t copied_from = nullptr;  ///< If it is of a clone. It may not exist any more.
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

/// A graph whose nodes are in an order in which they can run.
struct CUgraphExec_st {
  struct Step {
    cudaGraphNode_t node;  ///< What it was made of. It may not exist any more.
    cudaGraphNodeType type;
    std::vector<std::size_t> after;  ///< Other steps.
    tilelab::emulator::Work work;
    bool is_enabled = true;
  };
  std::vector<Step> steps;
};

namespace tilelab::emulator {

bool is_graph(cudaGraph_t graph);
/// The graph that has the node; null if none has.
cudaGraph_t graph_of(cudaGraphNode_t node);
cudaGraph_t new_graph();
void delete_graph(cudaGraph_t graph);

/// Adds a node that runs after others of the same graph.
cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type,
                         const std::vector<cudaGraphNode_t>& after, Work work,
                         NodeParameters parameters = {});

/// The graph's nodes as steps; none if nodes wait for each other.
std::optional<std::vector<CUgraphExec_st::Step>> steps_of(const CUgraph_st& graph);

/// Runs the steps one after the other, up to an error.
/// @param executable  what they are of; null in another graph
cudaError_t run_steps(const std::vector<CUgraphExec_st::Step>& steps,
                      const void* executable = nullptr);

}  // namespace tilelab::emulator
