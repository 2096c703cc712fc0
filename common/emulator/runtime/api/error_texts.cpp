#include "cuda_runtime_api.h"

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

// The texts that CUDA's runtime has, so that a program prints the same on a GPU.
#define TILELAB_ERROR(error, text) \
  { error, #error, text }
constexpr ErrorText texts[] = {
    TILELAB_ERROR(cudaSuccess, "no error"),
    TILELAB_ERROR(cudaErrorInvalidValue, "invalid argument"),
    TILELAB_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    TILELAB_ERROR(cudaErrorInitializationError, "initialization error"),
    TILELAB_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    TILELAB_ERROR(cudaErrorProfilerDisabled,
                  "profiler disabled while using external profiling tool"),
    TILELAB_ERROR(cudaErrorProfilerNotInitialized,
                  "profiler not initialized: call cudaProfilerInitialize()"),
    TILELAB_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    TILELAB_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    TILELAB_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TILELAB_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    TILELAB_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    TILELAB_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    TILELAB_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    TILELAB_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    TILELAB_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    TILELAB_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    TILELAB_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TILELAB_ERROR(cudaErrorAddressOfConstant, "invalid address of constant"),
    TILELAB_ERROR(cudaErrorTextureFetchFailed, "fetch from texture failed"),
    TILELAB_ERROR(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
    TILELAB_ERROR(cudaErrorSynchronizationError, "incorrect use of __syncthreads()"),
    TILELAB_ERROR(cudaErrorInvalidFilterSetting,
                  "linear filtering not supported for non-float type"),
    TILELAB_ERROR(cudaErrorInvalidNormSetting,
                  "read as normalized float not supported for data type"),
    TILELAB_ERROR(cudaErrorMixedDeviceExecution,
                  "device emulation mode and device execution mode cannot be mixed"),
    TILELAB_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented"),
    TILELAB_ERROR(cudaErrorMemoryValueTooLarge,
                  "memory size or pointer value too large to fit in 32 bit"),
    TILELAB_ERROR(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    TILELAB_ERROR(cudaErrorInsufficientDriver,
                  "CUDA driver version is insufficient for CUDA runtime version"),
    TILELAB_ERROR(cudaErrorCallRequiresNewerDriver,
                  "API call is not supported in the installed CUDA driver"),
    TILELAB_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    TILELAB_ERROR(cudaErrorDuplicateVariableName,
                  "duplicate global variable looked up by string name"),
    TILELAB_ERROR(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name"),
    TILELAB_ERROR(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name"),
    TILELAB_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    TILELAB_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    TILELAB_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    TILELAB_ERROR(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    TILELAB_ERROR(cudaErrorLaunchMaxDepthExceeded,
                  "launch would exceed maximum depth of nested launches"),
    TILELAB_ERROR(cudaErrorLaunchFileScopedTex,
                  "launch failed because kernel uses unsupported, file-scoped textures (texture "
                  "objects are supported)"),
    TILELAB_ERROR(cudaErrorLaunchFileScopedSurf,
                  "launch failed because kernel uses unsupported, file-scoped surfaces (surface "
                  "objects are supported)"),
    TILELAB_ERROR(cudaErrorSyncDepthExceeded,
                  "cudaDeviceSynchronize failed because caller's grid depth exceeds "
                  "cudaLimitDevRuntimeSyncDepth"),
    TILELAB_ERROR(
        cudaErrorLaunchPendingCountExceeded,
        "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    TILELAB_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TILELAB_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TILELAB_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    TILELAB_ERROR(cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license"),
    TILELAB_ERROR(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
    TILELAB_ERROR(cudaErrorStartupFailure, "startup failure in cuda runtime"),
    TILELAB_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    TILELAB_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    TILELAB_ERROR(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    TILELAB_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    TILELAB_ERROR(cudaErrorArrayIsMapped, "array is mapped"),
    TILELAB_ERROR(cudaErrorAlreadyMapped, "resource already mapped"),
    TILELAB_ERROR(cudaErrorNoKernelImageForDevice,
                  "no kernel image is available for execution on the device"),
    TILELAB_ERROR(cudaErrorAlreadyAcquired, "resource already acquired"),
    TILELAB_ERROR(cudaErrorNotMapped, "resource not mapped"),
    TILELAB_ERROR(cudaErrorNotMappedAsArray, "resource not mapped as array"),
    TILELAB_ERROR(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
    TILELAB_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    TILELAB_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    TILELAB_ERROR(cudaErrorDeviceAlreadyInUse,
                  "exclusive-thread device already in use by a different thread"),
    TILELAB_ERROR(cudaErrorPeerAccessUnsupported,
                  "peer access is not supported between these two devices"),
    TILELAB_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    TILELAB_ERROR(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    TILELAB_ERROR(cudaErrorNvlinkUncorrectable,
                  "uncorrectable NVLink error detected during the execution"),
    TILELAB_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
    TILELAB_ERROR(cudaErrorUnsupportedPtxVersion,
                  "the provided PTX was compiled with an unsupported toolchain."),
    TILELAB_ERROR(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
    TILELAB_ERROR(cudaErrorUnsupportedExecAffinity,
                  "the provided execution affinity is not supported"),
    TILELAB_ERROR(cudaErrorUnsupportedDevSideSync,
                  "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
    TILELAB_ERROR(cudaErrorContained,
                  "Invalid access of peer GPU memory over nvlink or a hardware error"),
    TILELAB_ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    TILELAB_ERROR(cudaErrorFileNotFound, "file not found"),
    TILELAB_ERROR(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    TILELAB_ERROR(cudaErrorSharedObjectInitFailed, "shared object initialization failed"),
    TILELAB_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    TILELAB_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TILELAB_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    TILELAB_ERROR(cudaErrorLossyQuery, "attempted introspection would be semantically lossy"),
    TILELAB_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    TILELAB_ERROR(cudaErrorNotReady, "device not ready"),
    TILELAB_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TILELAB_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TILELAB_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    TILELAB_ERROR(cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode"),
    TILELAB_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    TILELAB_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    TILELAB_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    TILELAB_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    TILELAB_ERROR(cudaErrorAssert, "device-side assert triggered"),
    TILELAB_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    TILELAB_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                  "part or all of the requested memory range is already mapped"),
    TILELAB_ERROR(cudaErrorHostMemoryNotRegistered,
                  "pointer does not correspond to a registered memory region"),
    TILELAB_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    TILELAB_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    TILELAB_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    TILELAB_ERROR(cudaErrorInvalidAddressSpace,
                  "operation not supported on global/shared address space"),
    TILELAB_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    TILELAB_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    TILELAB_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    TILELAB_ERROR(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
    TILELAB_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    TILELAB_ERROR(cudaErrorNotSupported, "operation not supported"),
    TILELAB_ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    TILELAB_ERROR(cudaErrorSystemDriverMismatch,
                  "system has unsupported display driver / cuda driver combination"),
    TILELAB_ERROR(cudaErrorCompatNotSupportedOnDevice,
                  "forward compatibility was attempted on non supported HW"),
    TILELAB_ERROR(cudaErrorMpsConnectionFailed,
                  "MPS client failed to connect to the MPS control daemon or the MPS server"),
    TILELAB_ERROR(cudaErrorMpsRpcFailure,
                  "the remote procedural call between the MPS server and the MPS client failed"),
    TILELAB_ERROR(cudaErrorMpsServerNotReady,
                  "MPS server is not ready to accept new MPS client requests"),
    TILELAB_ERROR(cudaErrorMpsMaxClientsReached,
                  "the hardware resources required to create MPS client have been exhausted"),
    TILELAB_ERROR(
        cudaErrorMpsMaxConnectionsReached,
        "the hardware resources required to support device connections have been exhausted"),
    TILELAB_ERROR(cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server"),
    TILELAB_ERROR(cudaErrorCdpNotSupported,
                  "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, "
                  "does not support it"),
    TILELAB_ERROR(cudaErrorCdpVersionMismatch,
                  "unsupported interaction between different versions of CUDA Dynamic Parallelism"),
    TILELAB_ERROR(cudaErrorStreamCaptureUnsupported,
                  "operation not permitted when stream is capturing"),
    TILELAB_ERROR(cudaErrorStreamCaptureInvalidated,
                  "operation failed due to a previous error during capture"),
    TILELAB_ERROR(cudaErrorStreamCaptureMerge,
                  "operation would result in a merge of separate capture sequences"),
    TILELAB_ERROR(cudaErrorStreamCaptureUnmatched,
                  "capture was not ended in the same stream as it began"),
    TILELAB_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    TILELAB_ERROR(cudaErrorStreamCaptureIsolation,
                  "dependency created on uncaptured work in another stream"),
    TILELAB_ERROR(cudaErrorStreamCaptureImplicit,
                  "operation would make the legacy stream depend on a capturing blocking stream"),
    TILELAB_ERROR(cudaErrorCapturedEvent,
                  "operation not permitted on an event last recorded in a capturing stream"),
    TILELAB_ERROR(cudaErrorStreamCaptureWrongThread,
                  "attempt to terminate a thread-local capture sequence from another thread"),
    TILELAB_ERROR(cudaErrorTimeout, "wait operation timed out"),
    TILELAB_ERROR(cudaErrorGraphExecUpdateFailure,
                  "the graph update was not performed because it included changes which violated "
                  "constraints specific to instantiated graph update"),
    TILELAB_ERROR(
        cudaErrorExternalDevice,
        "an async error has occured in external entity outside of CUDA"),  // codespell:ignore
    TILELAB_ERROR(cudaErrorInvalidClusterSize,
                  "a kernel launch error has occurred due to cluster misconfiguration"),
    TILELAB_ERROR(
        cudaErrorFunctionNotLoaded,
        "the function handle is not loaded when calling an API that requires a loaded function"),
    TILELAB_ERROR(cudaErrorInvalidResourceType,
                  "one or more resources passed in are not valid resource types for the operation"),
    TILELAB_ERROR(cudaErrorInvalidResourceConfiguration,
                  "one or more resources are insufficient or non-applicable for the operation"),
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
