#pragma once

#include <cuda_runtime.h>

/// Each launches a kernel that reads through a texture what the runtime or nobody wrote.

void read_and_write_texture_memory(cudaTextureObject_t texture, float* memory, float* out);
void read_texture(cudaTextureObject_t texture, float* out, int width, int height);
void write_surface(cudaSurfaceObject_t surface, int width);
