// The kernels of kernels.h in OpenCL, line by line.

kernel void matmul(global const float* a, global float* c, int n) {
  global const float* b = a + n * n;
  local float a_tile[16][16];
  local float b_tile[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 16 + y;
  const int column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (int begin = 0; begin < n; begin += 16) {
    a_tile[y][x] = a[row * n + begin + x];
    b_tile[y][x] = b[(begin + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

struct point {
  float x, y, z;
};

kernel void nearest(global const struct point* points, global int* nearest, int n) {
  local struct point tile[128];
  const int lane = get_local_id(0);
  const int i = get_group_id(0) * 128 + lane;
  const struct point own = points[i];
  float best = 1e30f;
  int index = -1;
  for (int begin = 0; begin < n; begin += 128) {
    tile[lane] = points[begin + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 128; ++j) {
      const float x = tile[j].x - own.x;
      const float y = tile[j].y - own.y;
      const float z = tile[j].z - own.z;
      const float distance = x * x + y * y + z * z;
      if (distance < best && begin + j != i) {
        best = distance;
        index = begin + j;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  nearest[i] = index;
}

kernel void reduction(global const int* in, global int* sums, int n) {
  local int partial[256];
  const int lane = get_local_id(0);
  const int i = get_group_id(0) * 512 + lane;
  partial[lane] = in[i] + in[i + 256];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 128; half_size > 0; half_size /= 2) {
    if (lane < half_size) partial[lane] += partial[lane + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) sums[get_group_id(0)] = partial[0];
}

kernel void transpose(global const float* in, global float* out, int n) {
  local float tile[32][33];
  const int lane = get_local_id(0), row = get_local_id(1);
  const int x = get_group_id(0) * 32 + lane;
  const int y = get_group_id(1) * 32 + row;
  for (int r = 0; r < 32; r += 8) tile[row + r][lane] = in[(y + r) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int out_x = get_group_id(1) * 32 + lane;
  const int out_y = get_group_id(0) * 32 + row;
  for (int r = 0; r < 32; r += 8) out[(out_y + r) * n + out_x] = tile[lane][row + r];
}
