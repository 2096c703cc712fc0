#include "emulator/runtime/textures/objects.h"

#include <memory>
#include <string>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/textures/arrays.h"

namespace tilelab::emulator {
namespace {

/// Objects by their handles, which begin at 1. Handles are not used again.
template <class Object>
class Table {
 public:
  unsigned long long add(Object object) {
    objects_.push_back(std::make_unique<Object>(std::move(object)));
    return objects_.size();
  }
  const Object* find(unsigned long long handle) const {
    return handle - 1 < objects_.size() ? objects_[handle - 1].get() : nullptr;
  }
  bool remove(unsigned long long handle) {
    if (find(handle) == nullptr) return false;
    objects_[handle - 1] = nullptr;
    return true;
  }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
};

Table<TextureObject>& textures() {
  static auto* table = new Table<TextureObject>;
  return *table;
}

Table<SurfaceObject>& surfaces() {
  static auto* table = new Table<SurfaceObject>;
  return *table;
}

[[noreturn]] void no_such_object(const char* what) {
  const std::string sentence = std::string("uses a ") + what + " object that does not exist";
  if (Scheduler* const scheduler = Scheduler::running()) {
    scheduler->fault(cudaErrorIllegalAddress, sentence.c_str());
  }
  fatal("host code calls a function of a %s object, which only kernels can call", what);
}

template <class T>
int as_int(T size) {
  return static_cast<int>(size);
}

Image image_of(const cudaArray& array) {
  const bool is_layered = (array.flags & cudaArrayLayered) != 0;
  const bool has_faces = (array.flags & cudaArrayCubemap) != 0;
  const int slices = as_int(array.slices());
  return {array.memory,
          array.pitch(),
          as_int(array.extent.width),
          as_int(array.rows()),
          is_layered || has_faces ? 1 : slices,
          is_layered || has_faces ? slices : 1};
}

std::size_t bytes_of(const cudaChannelFormatDesc& channels) {
  return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
}

cudaError_t find_elements(const cudaResourceDesc& resource, TextureObject& object) {
  const auto& from = resource.res;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      if (!is_array(from.array.array)) return cudaErrorInvalidResourceHandle;
      object.channels = from.array.array->channels;
      object.levels = {image_of(*from.array.array)};
      return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
      for (const cudaArray_t level : levels_of(from.mipmap.mipmap)) {
        object.channels = level->channels;
        object.levels.push_back(image_of(*level));
      }
      return object.levels.empty() ? cudaErrorInvalidResourceHandle : cudaSuccess;
    case cudaResourceTypeLinear: {
      object.channels = from.linear.desc;
      const std::size_t bytes = bytes_of(object.channels);
      if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
      if (!DeviceMemory::instance().is_allocated(from.linear.devPtr, from.linear.sizeInBytes)) {
        return explained(cudaErrorInvalidValue,
                         "A texture is not wholly inside device memory that the program allocated");
      }
      object.levels = {{static_cast<char*>(from.linear.devPtr), from.linear.sizeInBytes,
                        as_int(from.linear.sizeInBytes / bytes), 1, 1, 1}};
      return cudaSuccess;
    }
    case cudaResourceTypePitch2D: {
      object.channels = from.pitch2D.desc;
      const std::size_t row = from.pitch2D.width * bytes_of(object.channels);
      if (row == 0 || from.pitch2D.height == 0) return cudaErrorInvalidValue;
      if (row > from.pitch2D.pitchInBytes) return cudaErrorInvalidPitchValue;
      const std::size_t bytes = (from.pitch2D.height - 1) * from.pitch2D.pitchInBytes + row;
      if (!DeviceMemory::instance().is_allocated(from.pitch2D.devPtr, bytes)) {
        return explained(cudaErrorInvalidValue,
                         "A texture is not wholly inside device memory that the program allocated");
      }
      object.levels = {{static_cast<char*>(from.pitch2D.devPtr), from.pitch2D.pitchInBytes,
                        as_int(from.pitch2D.width), as_int(from.pitch2D.height), 1, 1}};
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidValue;
}

/// What CUDA does not allow together.
cudaError_t check(const TextureObject& object) {
  const cudaTextureDesc& texture = object.texture;
  const bool is_float = object.channels.f == cudaChannelFormatKindFloat;
  if (texture.filterMode == cudaFilterModeLinear && !is_float &&
      texture.readMode == cudaReadModeElementType) {
    return explained(cudaErrorInvalidFilterSetting,
                     "A texture of integers can be filtered only where it is read as "
                     "cudaReadModeNormalizedFloat");
  }
  if (texture.readMode == cudaReadModeNormalizedFloat && !is_float && object.channels.x == 32) {
    return explained(cudaErrorInvalidNormSetting,
                     "A texture of integers of 32 bits cannot be read as normalized numbers");
  }
  if (texture.sRGB != 0) {
    return explained(cudaErrorNotSupported, "The emulator does not convert from sRGB");
  }
  return cudaSuccess;
}

}  // namespace

const TextureObject& texture_object(cudaTextureObject_t object) {
  const TextureObject* const found = textures().find(object);
  if (found == nullptr) no_such_object("texture");
  return *found;
}

const SurfaceObject& surface_object(cudaSurfaceObject_t object) {
  const SurfaceObject* const found = surfaces().find(object);
  if (found == nullptr) no_such_object("surface");
  return *found;
}

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return api_call([&] {
    if (!can_answer(object) || resource == nullptr || texture == nullptr) {
      return cudaErrorInvalidValue;
    }
    if (view != nullptr) {
      return explained(cudaErrorNotSupported, "The emulator has no views of resources");
    }
    TextureObject made{*resource, *texture, {}, {}};
    if (const cudaError_t error = find_elements(*resource, made)) return error;
    if (const cudaError_t error = check(made)) return error;
    *object = textures().add(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api_call([&] { return textures().remove(object) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api_call([&] {
    const TextureObject* const found = textures().find(object);
    return found != nullptr ? answer(resource, found->resource) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return api_call([&] {
    const TextureObject* const found = textures().find(object);
    return found != nullptr ? answer(texture, found->texture) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api_call([&] {
    if (!can_answer(object) || resource == nullptr) return cudaErrorInvalidValue;
    if (resource->resType != cudaResourceTypeArray || !is_array(resource->res.array.array)) {
      return explained(cudaErrorInvalidValue, "A surface is made of an array");
    }
    const cudaArray& array = *resource->res.array.array;
    if ((array.flags & cudaArraySurfaceLoadStore) == 0) {
      return explained(cudaErrorInvalidValue,
                       "A surface's array is made with cudaArraySurfaceLoadStore");
    }
    *object = surfaces().add({image_of(array)});
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api_call([&] { return surfaces().remove(object) ? cudaSuccess : cudaErrorInvalidValue; });
}

}  // extern "C"
