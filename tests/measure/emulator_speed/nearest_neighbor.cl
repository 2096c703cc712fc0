// The nearest other point of each point, by tiles of BLOCK points in local memory: the algorithm of
// the tiled CUDA kernel, for comparing Oclgrind's time with the emulator's. n is a multiple of BLOCK.

kernel void nearest_neighbor(global const float* points, global int* nearest, int n) {
  local float tile[BLOCK][3];
  const int tx = get_local_id(0);
  const int i = get_global_id(0);
  const float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
  float best = INFINITY;
  int best_index = -1;
  for (int first = 0; first < n; first += BLOCK) {
    for (int c = 0; c < 3; ++c) tile[tx][c] = points[3 * (first + tx) + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < BLOCK; ++k) {
      const float dx = tile[k][0] - x, dy = tile[k][1] - y, dz = tile[k][2] - z;
      const float distance = dx * dx + dy * dy + dz * dz;
      if (distance < best && first + k != i) {
        best = distance;
        best_index = first + k;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  nearest[i] = best_index;
}
