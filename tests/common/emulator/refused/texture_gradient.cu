// 2: tex2DGrad is not supported
__global__ void k(cudaTextureObject_t t, float2 d, float* out) { *out = tex2DGrad<float>(t, 0, 0, d, d); }
