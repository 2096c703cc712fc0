#include <map>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/streams/streams.h"

using namespace tilelab::emulator;

namespace {

std::map<std::pair<cudaStream_t, cudaStreamAttrID>, cudaStreamAttrValue>& stream_attributes() {
  static auto* map = new std::map<std::pair<cudaStream_t, cudaStreamAttrID>, cudaStreamAttrValue>;
  return *map;
}

cudaError_t not_shared() {
  return explained(cudaErrorNotSupported,
                   "Emulated memory and events are not shared between processes");
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return api_call([] { return cudaErrorInvalidDevice; });
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return api_call(not_shared); }
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) {
  return api_call(not_shared);
}
cudaError_t cudaIpcCloseMemHandle(void*) { return api_call(not_shared); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return api_call(not_shared);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return api_call(not_shared);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (value == nullptr) return cudaErrorInvalidValue;
    stream_attributes()[{stream, attribute}] = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return api_call([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return answer(value, stream_attributes()[{stream, attribute}]);
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return api_call([] { return cudaSuccess; });
}

}  // extern "C"
