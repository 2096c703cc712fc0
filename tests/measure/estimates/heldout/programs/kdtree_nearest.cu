#include "timed.h"

constexpr int levels = 17, nodes = (1 << levels) - 1;

__host__ __device__ inline float coordinate(const float4& point, int axis) {
  return axis == 0 ? point.x : axis == 1 ? point.y : point.z;
}

__host__ __device__ inline float squared_distance(const float4& a, const float4& b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

// The tree is complete: the children of node n are 2n + 1 and 2n + 2; w holds a node's axis.
extern "C" __global__ void kdtree_nearest_kernel(const float4* tree, const float4* queries,
                                                 float* distances, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const float4 query = queries[thread];
  int stack_nodes[levels];
  float stack_planes[levels];
  int top = 0, node = 0;
  float best = 1e30f;
  while (true) {
    while (node < nodes) {
      const float4 point = tree[node];
      best = fminf(best, squared_distance(point, query));
      const int axis = int(point.w);
      const float side = coordinate(query, axis) - coordinate(point, axis);
      const int nearer = 2 * node + (side < 0 ? 1 : 2), farther = 2 * node + (side < 0 ? 2 : 1);
      if (farther < nodes) {
        stack_nodes[top] = farther;
        stack_planes[top++] = side * side;
      }
      node = nearer;
    }
    while (top > 0 && stack_planes[top - 1] >= best) top--;
    if (top == 0) break;
    node = stack_nodes[--top];
  }
  distances[thread] = best;
}

void build(std::vector<float4>& points, int begin, int end, int node, int axis,
           std::vector<float4>& tree) {
  if (begin == end) return;
  const int middle = (begin + end) / 2;
  std::nth_element(
      points.begin() + begin, points.begin() + middle, points.begin() + end,
      [&](const float4& a, const float4& b) { return coordinate(a, axis) < coordinate(b, axis); });
  tree[node] = points[middle];
  tree[node].w = float(axis);
  build(points, begin, middle, 2 * node + 1, (axis + 1) % 3, tree);
  build(points, middle + 1, end, 2 * node + 2, (axis + 1) % 3, tree);
}

int main() {
  const int count = 1 << 18;
  Random random{41};
  std::vector<float4> points(nodes), tree(nodes), queries(count);
  for (auto& p : points) p = make_float4(random.unit(), random.unit(), random.unit(), 0);
  for (auto& q : queries) q = make_float4(random.unit(), random.unit(), random.unit(), 0);
  build(points, 0, nodes, 0, 0, tree);
  float4* d_tree = upload(tree);
  float4* d_queries = upload(queries);
  float* d_distances = allocate<float>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               kdtree_nearest_kernel<<<shape.grid, shape.block>>>(
                                   d_tree, d_queries, d_distances, count);
                             });
  const auto distances = download(d_distances, count);
  for (int q = 0; q < count; q += 4001) {
    float best = 1e30f;
    for (const auto& point : points) best = std::min(best, squared_distance(point, queries[q]));
    expect(near(distances[q], best, 1e-6));
  }
  report("kdtree_nearest", "kdtree_nearest_kernel", shape, times, checksum(distances));
}
