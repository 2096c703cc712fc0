// 2: cudaTextureObject_t is not supported
__global__ void k(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 0, 0); }
