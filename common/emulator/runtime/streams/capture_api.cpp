// The functions with which a program captures a stream.

#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/streams.h"

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return api_call(
      [&] { return is_stream(stream) ? begin_capture(stream) : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api_call(
      [&] { return can_answer(graph) ? end_capture(stream, graph) : cudaErrorInvalidValue; });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return answer(
        status, is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone);
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api_call([&] {
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    if (mode == nullptr || *mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    const cudaStreamCaptureMode before = std::exchange(current, *mode);
    return answer(mode, before);
  });
}

}  // extern "C"
