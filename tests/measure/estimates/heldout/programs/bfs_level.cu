#include "timed.h"

extern "C" __global__ void bfs_level_kernel(const int* offsets, const int* neighbors,
                                            const int* frontier, int frontier_size, int* distance,
                                            int level, int* next, int* next_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const int vertex = frontier[i];
  for (int e = offsets[vertex]; e < offsets[vertex + 1]; e++) {
    const int neighbor = neighbors[e];
    if (distance[neighbor] < 0 && atomicCAS(&distance[neighbor], -1, level) == -1) {
      next[atomicAdd(next_size, 1)] = neighbor;
    }
  }
}

int main() {
  const int vertices = 1 << 20, steps = 4;
  Random random{3};
  std::vector<int> offsets(vertices + 1), neighbors;
  for (int v = 0; v < vertices; v++) {
    const int degree = random.below(64) == 0 ? 64 + random.below(192) : 2 + random.below(22);
    for (int i = 0; i < degree; i++) neighbors.push_back(random.below(vertices));
    offsets[v + 1] = int(neighbors.size());
  }
  const auto expand = [&](const std::vector<int>& frontier, std::vector<int>& distance, int level) {
    std::vector<int> next;
    for (int v : frontier) {
      for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        if (distance[neighbors[e]] >= 0) continue;
        distance[neighbors[e]] = level;
        next.push_back(neighbors[e]);
      }
    }
    return next;
  };
  std::vector<int> distance(vertices, -1), frontier{0};
  distance[0] = 0;
  int level = 1;
  for (; level <= steps; level++) frontier = expand(frontier, distance, level);
  std::vector<int> wanted = distance;
  const size_t wanted_size = expand(frontier, wanted, level).size();

  const int size = int(frontier.size());
  int* d_offsets = upload(offsets);
  int* d_neighbors = upload(neighbors);
  int* d_frontier = upload(frontier);
  int* d_distance = upload(distance);
  int* d_next = allocate<int>(vertices);
  int* d_next_size = allocate<int>(1);
  const Shape shape{blocks_for(size, 256), 256};
  const auto restore = [&] {
    copy_in(d_distance, distance);
    check(cudaMemset(d_next_size, 0, sizeof(int)));
  };
  const auto times = measure(restore, [&] {
    bfs_level_kernel<<<shape.grid, shape.block>>>(d_offsets, d_neighbors, d_frontier, size,
                                                  d_distance, level, d_next, d_next_size);
  });
  expect(size_t(download(d_next_size, 1)[0]) == wanted_size);
  const auto reached = download(d_distance, vertices);
  expect(reached == wanted);
  report("bfs_level", "bfs_level_kernel", shape, times, checksum(reached));
}
