// Copies and fills of two and three dimensions. Each slice is a copy of rows, which the runtime
// checks and the observer sees.

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"
#include "emulator/runtime/textures/arrays.h"

using namespace tilelab::emulator;

namespace {

/// One end of a copy.
struct End {
  char* begin;
  std::size_t pitch;
  std::size_t slice;
};

cudaError_t outside() {
  return explained(cudaErrorInvalidValue, "A copy goes past the end of an array");
}

/// Whether `count` elements from `begin` are within `size`.
bool fits(std::size_t begin, std::size_t count, std::size_t size) {
  return begin <= size && count <= size - begin;
}

/// @param extent  in elements of the array
cudaError_t end_in_array(cudaArray_const_t array, cudaPos at, cudaExtent extent, End& end) {
  if (!is_array(array)) return cudaErrorInvalidResourceHandle;
  if (!fits(at.x, extent.width, array->extent.width) || !fits(at.y, extent.height, array->rows()) ||
      !fits(at.z, extent.depth, array->slices())) {
    return outside();
  }
  const std::size_t slice = array->pitch() * array->rows();
  end = {array->memory + at.z * slice + at.y * array->pitch() + at.x * array->element_bytes(),
         array->pitch(), slice};
  return cudaSuccess;
}

End end_at_pointer(const cudaPitchedPtr& pointer, cudaPos at) {
  const std::size_t slice = pointer.pitch * pointer.ysize;
  return {static_cast<char*>(pointer.ptr) + at.z * slice + at.y * pointer.pitch + at.x,
          pointer.pitch, slice};
}

/// @param width  in bytes
cudaError_t copy(const End& to, const End& from, std::size_t width, std::size_t height,
                 std::size_t depth, cudaMemcpyKind kind) {
  for (std::size_t z = 0; z < depth; ++z) {
    if (const cudaError_t error =
            cudaMemcpy2D(to.begin + z * to.slice, to.pitch, from.begin + z * from.slice, from.pitch,
                         width, height, kind)) {
      return error;
    }
  }
  return cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms& what) {
  const bool from_array = what.srcArray != nullptr, to_array = what.dstArray != nullptr;
  if (from_array == (what.srcPtr.ptr != nullptr) || to_array == (what.dstPtr.ptr != nullptr)) {
    return explained(cudaErrorInvalidValue, "Each end of a copy is either an array or a pointer");
  }
  End from{}, to{};
  std::size_t element_bytes = 1;
  if (from_array) {
    if (const cudaError_t error = end_in_array(what.srcArray, what.srcPos, what.extent, from)) {
      return error;
    }
    element_bytes = what.srcArray->element_bytes();
  } else {
    from = end_at_pointer(what.srcPtr, what.srcPos);
  }
  if (to_array) {
    if (const cudaError_t error = end_in_array(what.dstArray, what.dstPos, what.extent, to)) {
      return error;
    }
    if (from_array && what.dstArray->element_bytes() != element_bytes) return cudaErrorInvalidValue;
    element_bytes = what.dstArray->element_bytes();
  } else {
    to = end_at_pointer(what.dstPtr, what.dstPos);
  }
  return copy(to, from, what.extent.width * element_bytes, what.extent.height, what.extent.depth,
              what.kind);
}

/// An end in the first slice of an array.
/// @param x, width  in bytes
cudaError_t end_in_slice(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t width,
                         std::size_t height, End& end) {
  if (!is_array(array)) return cudaErrorInvalidResourceHandle;
  const std::size_t bytes = array->element_bytes();
  if (x % bytes != 0 || width % bytes != 0) {
    return explained(cudaErrorInvalidValue, "A copy takes part of an array's element");
  }
  return end_in_array(array, {x / bytes, y, 0}, {width / bytes, height, 1}, end);
}

/// A copy of this many bytes, over the ends of rows.
cudaError_t end_in_sequence(cudaArray_const_t array, std::size_t x, std::size_t y,
                            std::size_t bytes, char*& begin) {
  if (!is_array(array)) return cudaErrorInvalidResourceHandle;
  const std::size_t at = y * array->pitch() + x;
  if (!fits(at, bytes, array->pitch() * array->rows())) return outside();
  begin = array->memory + at;
  return cudaSuccess;
}

/// A copy in a stream, or if the stream is captured, a node of its graph. The function keeps its
/// arguments.
template <class Function>
cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, Function function,
                      const char* name = __builtin_FUNCTION()) {
  const auto named = [=] {
    const NameOfWork work(name);
    return function();
  };
  return api_call(
      [&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (is_capturing(stream)) return capture(stream, type, named);
        const StreamOfWork in(stream);
        return named();
      },
      name);
}

/// A call that copies or fills in parts.
template <class Function>
cudaError_t in_parts(Function function, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&] {
        const NameOfWork work(name);
        return function();
      },
      name);
}

cudaPitchedPtr rows(const void* pointer, std::size_t pitch) {
  return {const_cast<void*>(pointer), pitch, 0, 0};
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return api_call([&] {
    if (!can_answer(pointer)) return cudaErrorInvalidValue;
    *pointer = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return in_parts([&] {
    for (std::size_t z = 0; z < extent.depth; ++z) {
      char* const slice = static_cast<char*>(pointer.ptr) + z * pointer.pitch * pointer.ysize;
      if (const cudaError_t error =
              cudaMemset2D(slice, pointer.pitch, value, extent.width, extent.height)) {
        return error;
      }
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemset,
                   [=] { return cudaMemset3D(pointer, value, extent); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  return in_parts([&] { return what != nullptr ? copy_3d(*what) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  if (what == nullptr) return cudaMemcpy3D(what);
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [kept = *what] { return cudaMemcpy3D(&kept); });
}

cudaError_t cudaMemcpyToArray(cudaArray_t array, std::size_t x, std::size_t y, const void* source,
                              std::size_t bytes, cudaMemcpyKind kind) {
  return in_parts([&] {
    char* begin = nullptr;
    if (const cudaError_t error = end_in_sequence(array, x, y, bytes, begin)) return error;
    return cudaMemcpy(begin, source, bytes, kind);
  });
}

cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t array, std::size_t x,
                                std::size_t y, std::size_t bytes, cudaMemcpyKind kind) {
  return in_parts([&] {
    char* begin = nullptr;
    if (const cudaError_t error = end_in_sequence(array, x, y, bytes, begin)) return error;
    return cudaMemcpy(destination, begin, bytes, kind);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, std::size_t x, std::size_t y,
                                   const void* source, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy,
                   [=] { return cudaMemcpyToArray(array, x, y, source, bytes, kind); });
}

cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t array, std::size_t x,
                                     std::size_t y, std::size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy,
                   [=] { return cudaMemcpyFromArray(destination, array, x, y, bytes, kind); });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t destination, std::size_t to_x, std::size_t to_y,
                                   cudaArray_const_t source, std::size_t from_x, std::size_t from_y,
                                   std::size_t bytes, cudaMemcpyKind kind) {
  return in_parts([&] {
    char *to = nullptr, *from = nullptr;
    if (const cudaError_t error = end_in_sequence(destination, to_x, to_y, bytes, to)) return error;
    if (const cudaError_t error = end_in_sequence(source, from_x, from_y, bytes, from)) {
      return error;
    }
    return cudaMemcpy(to, from, bytes, kind);
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t array, std::size_t x, std::size_t y, const void* source,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return in_parts([&] {
    End to{};
    if (const cudaError_t error = end_in_slice(array, x, y, width, height, to)) return error;
    return copy(to, end_at_pointer(rows(source, pitch), {}), width, height, 1, kind);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, std::size_t x, std::size_t y,
                                     const void* source, std::size_t pitch, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpy2DToArray(array, x, y, source, pitch, width, height, kind);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* destination, std::size_t pitch, cudaArray_const_t array,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind) {
  return in_parts([&] {
    End from{};
    if (const cudaError_t error = end_in_slice(array, x, y, width, height, from)) return error;
    return copy(end_at_pointer(rows(destination, pitch), {}), from, width, height, 1, kind);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, std::size_t pitch,
                                       cudaArray_const_t array, std::size_t x, std::size_t y,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpy2DFromArray(destination, pitch, array, x, y, width, height, kind);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t source, std::size_t from_x,
                                     std::size_t from_y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
  return in_parts([&] {
    End to{}, from{};
    if (const cudaError_t error = end_in_slice(destination, to_x, to_y, width, height, to)) {
      return error;
    }
    if (const cudaError_t error = end_in_slice(source, from_x, from_y, width, height, from)) {
      return error;
    }
    return copy(to, from, width, height, 1, kind);
  });
}

}  // extern "C"
