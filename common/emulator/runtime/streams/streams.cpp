// All work is done in the order of the calls, so streams have nothing to order. Only their handles
// matter.

#include "emulator/runtime/streams/streams.h"

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/runtime_lock.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/live_handles.h"
#include "emulator/runtime/streams/stream_of_work.h"

struct CUstream_st {
  unsigned flags;
};

namespace tilelab::emulator {
namespace {

cudaError_t create_stream(cudaStream_t* stream, unsigned flags) {
  if (!can_answer(stream) || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = *live_streams().insert(new CUstream_st{flags}).first;
  tell(&Listener::stream_created, *stream, flags != cudaStreamNonBlocking);
  return cudaSuccess;
}

cudaError_t wait_for_stream(cudaStream_t stream) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
  tell(&Listener::host_waits, stream);
  return cudaSuccess;
}

}  // namespace

void call_host_function(cudaStream_t stream, const std::function<void()>& function) {
  tell(&Listener::host_function_begins, StreamOfWork::of(stream));
  {
    const RuntimeUnlock unlock;
    function();
  }
  tell(&Listener::host_function_ends);
}

bool is_stream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         live_streams().contains(stream);
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return api_call([&] { return create_stream(stream, flags); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api_call([&] { return create_stream(stream, flags); });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api_call([&] { return create_stream(stream, cudaStreamDefault); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api_call([&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api_call([&] {
    if (live_streams().erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api_call([&] { return wait_for_stream(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api_call([&] { return wait_for_stream(stream); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return api_call([&] {
    if (!is_stream(stream) || event == nullptr) return cudaErrorInvalidResourceHandle;
    join_capture(stream, event);
    if (!is_capturing(stream)) tell(&Listener::stream_waits, stream, event);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (function == nullptr) return cudaErrorInvalidValue;
    const auto call = [=] {
      call_host_function(stream, [=] { function(user_data); });
      return cudaSuccess;
    };
    return is_capturing(stream) ? capture(stream, cudaGraphNodeTypeHost, call) : call();
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (callback == nullptr) return cudaErrorInvalidValue;
    if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
    call_host_function(stream, [=] { callback(stream, cudaSuccess, user_data); });
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const bool is_own = live_streams().contains(stream);
    return answer(flags, is_own ? stream->flags : cudaStreamDefault);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return answer(priority, 0);
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return answer(id, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(stream)));
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return api_call(
      [&] { return is_stream(stream) ? answer(device, 0) : cudaErrorInvalidResourceHandle; });
}

}  // extern "C"
