#pragma once

/// CUDA's functions for surface objects. Positions along x are in bytes.

#include "emulated/textures/sampling.h"
#include "surface_types.h"

namespace tilelab::emulator {

template <class T>
T read_surface(unsigned long long object, TextureShape shape, int x, int y, int z, int layer,
               int mode) {
  const void* const element = surface_element(object, shape, x, y, z, layer, sizeof(T), mode);
  return element != nullptr ? *static_cast<const T*>(element) : T{};
}

template <class T>
void write_surface(const T& value, unsigned long long object, TextureShape shape, int x, int y,
                   int z, int layer, int mode) {
  void* const element = surface_element(object, shape, x, y, z, layer, sizeof(T), mode);
  if (element != nullptr) *static_cast<T*>(element) = value;
}

}  // namespace tilelab::emulator

#define TILELAB_SURFACE(prefix, parameters, shape, x, y, z, layer)                         \
  template <class T>                                                                       \
  inline T prefix##read(cudaSurfaceObject_t object, TILELAB_LIST parameters,               \
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    return tilelab::emulator::read_surface<T>(object, shape, x, y, z, layer, mode);        \
  }                                                                                        \
  template <class T>                                                                       \
  inline void prefix##read(T* result, cudaSurfaceObject_t object, TILELAB_LIST parameters, \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    *result = tilelab::emulator::read_surface<T>(object, shape, x, y, z, layer, mode);     \
  }                                                                                        \
  template <class T>                                                                       \
  inline void prefix##write(T value, cudaSurfaceObject_t object, TILELAB_LIST parameters,  \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    tilelab::emulator::write_surface(value, object, shape, x, y, z, layer, mode);          \
  }
#define TILELAB_LIST(...) __VA_ARGS__
#define TILELAB_SHAPE tilelab::emulator::TextureShape

TILELAB_SURFACE(surf1D, (int x), TILELAB_SHAPE::one, x, 0, 0, 0)
TILELAB_SURFACE(surf2D, (int x, int y), TILELAB_SHAPE::two, x, y, 0, 0)
TILELAB_SURFACE(surf3D, (int x, int y, int z), TILELAB_SHAPE::three, x, y, z, 0)
TILELAB_SURFACE(surf1DLayered, (int x, int layer), TILELAB_SHAPE::one, x, 0, 0, layer)
TILELAB_SURFACE(surf2DLayered, (int x, int y, int layer), TILELAB_SHAPE::two, x, y, 0, layer)
TILELAB_SURFACE(surfCubemap, (int x, int y, int face), TILELAB_SHAPE::cube, x, y, face, 0)

#undef TILELAB_SHAPE
#undef TILELAB_LIST
#undef TILELAB_SURFACE
