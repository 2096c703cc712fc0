// 8: extern_shared_tile
__device__ int first() {
  extern __shared__ int tile[];
  return tile[0];
}
struct Tile {
  __device__ const float* get() const {
    extern __shared__ const float tile[];
    return tile;
  }
};
