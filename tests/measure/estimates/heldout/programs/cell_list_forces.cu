#include "timed.h"

// Bodies are sorted by cell; `starts` says where each cell begins.
extern "C" __global__ void cell_list_forces_kernel(const float4* bodies, const int* starts,
                                                   float4* forces, int count, int side,
                                                   float cutoff2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 own = bodies[i];
  const int cx = int(own.x * side), cy = int(own.y * side), cz = int(own.z * side);
  float fx = 0, fy = 0, fz = 0;
  int pairs = 0;
  for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); z++) {
    for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); y++) {
      for (int x = max(cx - 1, 0); x <= min(cx + 1, side - 1); x++) {
        const int cell = (z * side + y) * side + x;
        for (int j = starts[cell]; j < starts[cell + 1]; j++) {
          const float4 other = bodies[j];
          const float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
          const float r2 = dx * dx + dy * dy + dz * dz;
          if (r2 >= cutoff2 || j == i) continue;
          const float s2 = cutoff2 / (r2 + 0.1f * cutoff2), s6 = s2 * s2 * s2;
          const float push = s6 * (s6 - 0.5f);
          fx += push * dx, fy += push * dy, fz += push * dz;
          pairs++;
        }
      }
    }
  }
  forces[i] = make_float4(fx, fy, fz, float(pairs));
}

int main() {
  const int count = 1 << 18, side = 32;
  const float cutoff2 = 1.0f / side / side;
  Random random{37};
  std::vector<float4> bodies(count);
  // Half of the bodies crowd in a corner, so cells hold between two and dozens.
  for (int i = 0; i < count; i++) {
    const float span = i % 2 ? 1.0f : 0.6f;
    bodies[i] = make_float4(span * random.unit(), span * random.unit(), span * random.unit(), 1);
  }
  const auto cell = [&](const float4& b) {
    return (int(b.z * side) * side + int(b.y * side)) * side + int(b.x * side);
  };
  std::stable_sort(bodies.begin(), bodies.end(),
                   [&](const float4& a, const float4& b) { return cell(a) < cell(b); });
  std::vector<int> starts(side * side * side + 1);
  for (const auto& body : bodies) starts[cell(body) + 1]++;
  for (size_t c = 1; c < starts.size(); c++) starts[c] += starts[c - 1];
  float4* d_bodies = upload(bodies);
  int* d_starts = upload(starts);
  float4* d_forces = allocate<float4>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               cell_list_forces_kernel<<<shape.grid, shape.block>>>(
                                   d_bodies, d_starts, d_forces, count, side, cutoff2);
                             });
  const auto forces = download(d_forces, count);
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += forces[i].w;
    if (i % 20011 != 0) continue;
    int pairs = 0;
    for (int j = 0; j < count; j++) {
      const double dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y,
                   dz = bodies[i].z - bodies[j].z;
      pairs += j != i && dx * dx + dy * dy + dz * dz < cutoff2;
    }
    expect(std::fabs(forces[i].w - pairs) <= 1);
  }
  report("cell_list_forces", "cell_list_forces_kernel", shape, times, sum);
}
