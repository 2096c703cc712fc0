#include "texture_kernels.h"

namespace {

__global__ void read_and_write(cudaTextureObject_t texture, float* memory, float* out) {
  memory[threadIdx.x] = 2;  // @texture_store
  out[threadIdx.x] =
      tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x ^ 32));  // @texture_load
}

__global__ void read(cudaTextureObject_t texture, float* out) {
  const float x = static_cast<float>(threadIdx.x) + 0.5f;
  const float y = static_cast<float>(threadIdx.y) + 0.5f;
  out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(texture, x, y);  // @texture_read
}

__global__ void write(cudaSurfaceObject_t surface) {
  surf2Dwrite(static_cast<float>(threadIdx.x), surface, static_cast<int>(threadIdx.x) * 4, 0);
}

}  // namespace

void read_and_write_texture_memory(cudaTextureObject_t texture, float* memory, float* out) {
  read_and_write<<<1, 64>>>(texture, memory, out);
}

void read_texture(cudaTextureObject_t texture, float* out, int width, int height) {
  read<<<1, dim3(static_cast<unsigned>(width), static_cast<unsigned>(height))>>>(texture, out);
}

void write_surface(cudaSurfaceObject_t surface, int width) {
  write<<<1, static_cast<unsigned>(width)>>>(surface);
}
