#pragma once

#include "emulator/runtime/streams/graph.h"

/// Streams whose work becomes part of a graph instead of being done.
namespace tilelab::emulator {

/// From now on the stream's work becomes part of a new graph.
cudaError_t begin_capture(cudaStream_t stream);

/// Ends that, also for the streams that have joined.
/// @param graph  gets the graph, or null if there was an error
cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph);

/// Makes a node of work in a stream that is captured.
cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, Work work);

/// The event marks how far a captured stream is, or no longer does.
void note_event(cudaEvent_t event, cudaStream_t stream);

/// If the event marks a place in a captured stream, the other stream joins the capture there.
void join_capture(cudaStream_t stream, cudaEvent_t event);

}  // namespace tilelab::emulator
