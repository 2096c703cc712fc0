#include <chrono>
#include <optional>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/live_handles.h"
#include "emulator/runtime/streams/streams.h"

using Clock = std::chrono::steady_clock;

struct CUevent_st {
  bool has_timing;
  std::optional<Clock::time_point> recorded;
};

using namespace tilelab::emulator;

namespace {

bool is_event(cudaEvent_t event) { return live_events().contains(event); }

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!can_answer(event) || (flags & ~known) != 0) return cudaErrorInvalidValue;
  const bool has_timing = (flags & cudaEventDisableTiming) == 0;
  *event = *live_events().insert(new CUevent_st{has_timing, std::nullopt}).first;
  return cudaSuccess;
}

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream) {
  if (!is_event(event) || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
  event->recorded = Clock::now();
  note_event(event, stream);
  if (!is_capturing(stream)) tell(&Listener::event_recorded, event, stream);
  return cudaSuccess;
}

cudaError_t wait_for_event(cudaEvent_t event) {
  if (!is_event(event)) return cudaErrorInvalidResourceHandle;
  tell(&Listener::host_waits_for_event, event);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api_call([&] { return create_event(event, flags); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return api_call([&] { return create_event(event, cudaEventDefault); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api_call([&] {
    if (live_events().erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api_call([&] { return record_event(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return api_call([&] { return record_event(event, stream); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api_call([&] { return wait_for_event(event); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api_call([&] { return wait_for_event(event); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return api_call([&] {
    if (!can_answer(milliseconds)) return cudaErrorInvalidValue;
    for (const cudaEvent_t event : {start, stop}) {
      if (!is_event(event) || !event->has_timing) return cudaErrorInvalidResourceHandle;
      if (!event->recorded) {
        return explained(cudaErrorInvalidResourceHandle, "The %s event was never recorded",
                         event == start ? "start" : "stop");
      }
    }
    const std::chrono::duration<float, std::milli> elapsed = *stop->recorded - *start->recorded;
    *milliseconds = elapsed.count();
    return cudaSuccess;
  });
}

}  // extern "C"
