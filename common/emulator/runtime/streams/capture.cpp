#include "emulator/runtime/streams/capture.h"

#include <algorithm>
#include <map>

#include "emulator/runtime/errors/errors.h"

namespace tilelab::emulator {
namespace {

struct Capture {
  cudaGraph_t graph;
  cudaStream_t origin;
};

/// How far a stream is in a capture: what its next node runs after.
struct Position {
  std::shared_ptr<Capture> capture;
  std::vector<cudaGraphNode_t> after;
};

std::map<cudaStream_t, Position>& captured_streams() {
  static auto* map = new std::map<cudaStream_t, Position>;
  return *map;
}

std::map<cudaEvent_t, Position>& captured_events() {
  static auto* map = new std::map<cudaEvent_t, Position>;
  return *map;
}

/// Whether work of another stream never came back to the one where the capture began.
bool is_unjoined(const CUgraph_st& graph, const std::vector<cudaGraphNode_t>& last) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    const auto is = [&](cudaGraphNode_t other) { return other == node.get(); };
    const bool has_successor =
        std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& other) {
          return std::any_of(other->after.begin(), other->after.end(), is);
        });
    return !has_successor && std::none_of(last.begin(), last.end(), is);
  });
}

}  // namespace

cudaError_t begin_capture(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
  if (is_capturing(stream)) return cudaErrorIllegalState;
  captured_streams()[stream] = {std::make_shared<Capture>(Capture{new_graph(), stream}), {}};
  return cudaSuccess;
}

cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph) {
  const auto found = captured_streams().find(stream);
  if (found == captured_streams().end()) return cudaErrorIllegalState;
  const Position position = found->second;
  if (position.capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
  const auto belongs = [&](const auto& item) { return item.second.capture == position.capture; };
  std::erase_if(captured_streams(), belongs);
  std::erase_if(captured_events(), belongs);
  if (is_unjoined(*position.capture->graph, position.after)) {
    delete_graph(position.capture->graph);
    *graph = nullptr;
    return explained(cudaErrorStreamCaptureUnjoined,
                     "A captured stream has work that the first stream never waits for");
  }
  *graph = position.capture->graph;
  return cudaSuccess;
}

bool is_capturing(cudaStream_t stream) {
  return !captured_streams().empty() && captured_streams().contains(stream);
}

cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, Work work) {
  Position& position = captured_streams().at(stream);
  position.after = {add_node(position.capture->graph, type, position.after, std::move(work))};
  return cudaSuccess;
}

cudaError_t capture_launch(cudaStream_t stream, Work launch) {
  return capture(stream, cudaGraphNodeTypeKernel, std::move(launch));
}

void note_event(cudaEvent_t event, cudaStream_t stream) {
  if (is_capturing(stream)) {
    captured_events()[event] = captured_streams().at(stream);
  } else {
    captured_events().erase(event);
  }
}

void join_capture(cudaStream_t stream, cudaEvent_t event) {
  const auto found = captured_events().find(event);
  if (found == captured_events().end()) return;
  Position& position = captured_streams()[stream];
  position.capture = found->second.capture;
  for (const cudaGraphNode_t node : found->second.after) {
    if (std::find(position.after.begin(), position.after.end(), node) == position.after.end()) {
      position.after.push_back(node);
    }
  }
}

}  // namespace tilelab::emulator
