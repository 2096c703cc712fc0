#include "cuda_runtime_api.h"

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define TILELAB_ERROR(error, text) \
  { error, #error, text }
constexpr ErrorText texts[] = {
    TILELAB_ERROR(cudaSuccess, "no error"),
    TILELAB_ERROR(cudaErrorInvalidValue, "invalid argument"),
    TILELAB_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    TILELAB_ERROR(cudaErrorInitializationError, "initialization error"),
    TILELAB_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TILELAB_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    TILELAB_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    TILELAB_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    TILELAB_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    TILELAB_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TILELAB_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    TILELAB_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TILELAB_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TILELAB_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    TILELAB_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TILELAB_ERROR(cudaErrorNotReady, "device not ready"),
    TILELAB_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TILELAB_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TILELAB_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    TILELAB_ERROR(cudaErrorAssert, "device-side assert triggered"),
    TILELAB_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                  "part or all of the requested memory range is already mapped"),
    TILELAB_ERROR(cudaErrorHostMemoryNotRegistered,
                  "pointer does not correspond to a registered memory region"),
    TILELAB_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    TILELAB_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    TILELAB_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    TILELAB_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    TILELAB_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    TILELAB_ERROR(cudaErrorNotSupported, "operation not supported"),
    TILELAB_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    TILELAB_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    TILELAB_ERROR(cudaErrorInvalidFilterSetting, "invalid filter mode for this texture"),
    TILELAB_ERROR(cudaErrorInvalidNormSetting, "invalid coordinates for this texture"),
    TILELAB_ERROR(cudaErrorInvalidClusterSize, "invalid cluster size"),
    TILELAB_ERROR(cudaErrorStreamCaptureUnsupported, "not permitted while a stream is captured"),
    TILELAB_ERROR(cudaErrorStreamCaptureUnmatched, "the capture began in another stream"),
    TILELAB_ERROR(cudaErrorStreamCaptureUnjoined, "a captured stream has work that is not joined"),
    TILELAB_ERROR(cudaErrorGraphExecUpdateFailure, "the graph is too different for an update"),
    TILELAB_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef TILELAB_ERROR

const ErrorText* find(cudaError_t error) {
  for (const ErrorText& entry : texts) {
    if (entry.error == error) return &entry;
  }
  return nullptr;
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* entry = find(error);
  return entry != nullptr ? entry->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* entry = find(error);
  return entry != nullptr ? entry->text : "unrecognized error code";
}

}  // extern "C"
