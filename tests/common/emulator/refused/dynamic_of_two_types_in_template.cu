// 4: extern_shared_tile
template <class T>
__global__ void kernel(T* out) {
  extern __shared__ T tile[];
  *out = tile[0];
}
void run(int* a, float* b) {
  kernel<<<1, 1, 4>>>(a);
  kernel<<<1, 1, 4>>>(b);
}
