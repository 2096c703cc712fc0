#include "timed.h"

// An edge per thread: the common neighbors of its ends, by walking through two sorted lists.
extern "C" __global__ void triangle_count_kernel(const int2* edges, const int* offsets,
                                                 const int* neighbors, int count, unsigned* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned found = 0;
  if (i < count) {
    const int2 edge = edges[i];
    int a = offsets[edge.x], b = offsets[edge.y];
    const int a_end = offsets[edge.x + 1], b_end = offsets[edge.y + 1];
    while (a < a_end && b < b_end) {
      const int left = neighbors[a], right = neighbors[b];
      found += left == right;
      a += left <= right;
      b += right <= left;
    }
  }
  found = __reduce_add_sync(0xffffffffu, found);
  if (threadIdx.x % 32 == 0 && found > 0) atomicAdd(total, found);
}

int main() {
  const int vertices = 1 << 15, pairs = 1 << 19;
  Random random{45};
  // Edges go from the smaller vertex to the greater one; few vertices have most of the edges.
  std::vector<std::pair<int, int>> list;
  for (int i = 0; i < pairs; i++) {
    const float u = random.unit(), v = random.unit();
    const int a = int(vertices * u * u), b = int(vertices * v * v);
    if (a != b) list.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  std::vector<int> offsets(vertices + 1), neighbors;
  std::vector<int2> edges;
  for (const auto& [a, b] : list) {
    offsets[a + 1]++;
    neighbors.push_back(b);
    edges.push_back(make_int2(a, b));
  }
  for (int v = 0; v < vertices; v++) offsets[v + 1] += offsets[v];
  // Neighboring threads get edges of different vertices.
  for (int i = int(edges.size()) - 1; i > 0; i--) std::swap(edges[i], edges[random.below(i + 1)]);
  uint64_t wanted = 0;
  std::vector<int> common;
  for (const auto& edge : edges) {
    common.clear();
    std::set_intersection(neighbors.begin() + offsets[edge.x],
                          neighbors.begin() + offsets[edge.x + 1],
                          neighbors.begin() + offsets[edge.y],
                          neighbors.begin() + offsets[edge.y + 1], std::back_inserter(common));
    wanted += common.size();
  }
  const int count = int(edges.size());
  int2* d_edges = upload(edges);
  int* d_offsets = upload(offsets);
  int* d_neighbors = upload(neighbors);
  unsigned* d_total = allocate<unsigned>(1);
  const Shape shape{blocks_for(count, 128), 128};
  const auto restore = [&] { check(cudaMemset(d_total, 0, sizeof(unsigned))); };
  const auto times = measure(restore, [&] {
    triangle_count_kernel<<<shape.grid, shape.block>>>(d_edges, d_offsets, d_neighbors, count,
                                                       d_total);
  });
  const auto total = download(d_total, 1);
  expect(total[0] == wanted);
  report("triangle_count", "triangle_count_kernel", shape, times, checksum(total));
}
