#pragma once

#include "device.h"

/// Arrays and texture objects that are freed at the end of their scope.

/// An array with these elements, row by row.
template <class T>
class ArrayOf {
 public:
  ArrayOf(const std::vector<T>& values, std::size_t width, std::size_t height = 0,
          std::size_t depth = 0, unsigned flags = cudaArrayDefault) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    REQUIRE(cudaMalloc3DArray(&array_, &channels, make_cudaExtent(width, height, depth), flags) ==
            cudaSuccess);
    const std::size_t rows = height > 0 ? height : 1;
    cudaMemcpy3DParms copy{};
    copy.srcPtr =
        make_cudaPitchedPtr(const_cast<T*>(values.data()), width * sizeof(T), width, rows);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(width, rows, depth > 0 ? depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
  }
  ~ArrayOf() { cudaFreeArray(array_); }
  ArrayOf(const ArrayOf&) = delete;
  ArrayOf& operator=(const ArrayOf&) = delete;

  operator cudaArray_t() const { return array_; }

  cudaResourceDesc resource() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }

 private:
  cudaArray_t array_ = nullptr;
};

class Texture {
 public:
  Texture(const cudaResourceDesc& resource, const cudaTextureDesc& texture) {
    REQUIRE(cudaCreateTextureObject(&object_, &resource, &texture, nullptr) == cudaSuccess);
  }
  template <class T>
  Texture(const ArrayOf<T>& array, const cudaTextureDesc& texture)
      : Texture(array.resource(), texture) {}
  ~Texture() { cudaDestroyTextureObject(object_); }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  template <class T>
  static Texture of_linear(T* memory, std::size_t count, const cudaTextureDesc& texture) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    return {resource, texture};
  }
  template <class T>
  static Texture of_rows(T* memory, std::size_t pitch, std::size_t width, std::size_t height,
                         const cudaTextureDesc& texture) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return {resource, texture};
  }
  static Texture of_levels(cudaMipmappedArray_t array, const cudaTextureDesc& texture) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    return {resource, texture};
  }

  operator cudaTextureObject_t() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
};
