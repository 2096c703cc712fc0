#include "emulator/runtime/streams/live_handles.h"

namespace tilelab::emulator {

std::unordered_set<cudaStream_t>& live_streams() {
  static auto* set = new std::unordered_set<cudaStream_t>;
  return *set;
}

std::unordered_set<cudaEvent_t>& live_events() {
  static auto* set = new std::unordered_set<cudaEvent_t>;
  return *set;
}

}  // namespace tilelab::emulator
