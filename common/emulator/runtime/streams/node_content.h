#pragma once

#include "emulator/runtime/streams/graph.h"

namespace tilelab::emulator {

/// What a node does, or the error of a call that says so wrongly.
struct NodeContent {
  cudaError_t error = cudaErrorInvalidValue;
  Work work = nullptr;
  NodeParameters parameters = {};
};

NodeContent content_of(const cudaKernelNodeParams* launch, Site site);
NodeContent content_of(const cudaMemcpy3DParms* copy);
NodeContent content_of(const cudaMemsetParams* fill);
NodeContent content_of(const cudaHostNodeParams* call);

/// A copy of bytes that lie one after the other.
NodeContent content_of_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

}  // namespace tilelab::emulator
