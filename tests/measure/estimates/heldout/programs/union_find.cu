#include "timed.h"

__device__ inline int find_root(volatile int* parents, int vertex) {
  int parent = parents[vertex];
  while (parent != vertex) {
    const int grandparent = parents[parent];
    if (grandparent != parent) parents[vertex] = grandparent;  // halve the path
    vertex = parent;
    parent = parents[vertex];
  }
  return vertex;
}

extern "C" __global__ void union_find_kernel(const int2* edges, int count, int* parents) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int a = edges[i].x, b = edges[i].y;
  while (true) {
    a = find_root(parents, a);
    b = find_root(parents, b);
    if (a == b) return;
    // The greater root hooks onto the smaller one, if it still is a root.
    const int high = max(a, b), low = min(a, b);
    if (atomicCAS(&parents[high], high, low) == high) return;
  }
}

int find_on_host(std::vector<int>& parents, int vertex) {
  while (parents[vertex] != vertex) vertex = parents[vertex] = parents[parents[vertex]];
  return vertex;
}

int main() {
  const int vertices = 1 << 20, count = 1 << 20;
  Random random{33};
  std::vector<int2> edges(count);
  for (auto& edge : edges) edge = make_int2(random.below(vertices), random.below(vertices));
  std::vector<int> start(vertices);
  std::iota(start.begin(), start.end(), 0);
  std::vector<int> wanted = start;
  for (const auto& edge : edges) {
    const int a = find_on_host(wanted, edge.x), b = find_on_host(wanted, edge.y);
    wanted[std::max(a, b)] = std::min(a, b);
  }
  int2* d_edges = upload(edges);
  int* d_start = upload(start);
  int* d_parents = allocate<int>(vertices);
  const Shape shape{blocks_for(count, 128), 128};
  const auto restore = [&] {
    check(cudaMemcpy(d_parents, d_start, vertices * sizeof(int), cudaMemcpyDeviceToDevice));
  };
  const auto times = measure(
      restore, [&] { union_find_kernel<<<shape.grid, shape.block>>>(d_edges, count, d_parents); });
  auto parents = download(d_parents, vertices);
  // The trees depend on the order, but each component's root is its smallest vertex.
  for (int v = 0; v < vertices; v++) {
    start[v] = find_on_host(parents, v);
    expect(start[v] == find_on_host(wanted, v));
  }
  report("union_find", "union_find_kernel", shape, times, checksum(start));
}
