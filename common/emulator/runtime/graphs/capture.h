#pragma once

#include "emulator/runtime/graphs/graph.h"

/// Streams whose work becomes part of a graph instead of being done.
namespace tilelab::emulator {

/// Makes a node of work in a stream that is captured.
cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, Work work);

/// The event marks how far a captured stream is, or no longer does.
void note_event(cudaEvent_t event, cudaStream_t stream);

/// If the event marks a place in a captured stream, the other stream joins the capture there.
void join_capture(cudaStream_t stream, cudaEvent_t event);

}  // namespace tilelab::emulator
