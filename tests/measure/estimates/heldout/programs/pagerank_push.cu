#include "timed.h"

extern "C" __global__ void pagerank_push_kernel(const int2* edges, const float* shares,
                                                float* ranks, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int2 edge = edges[i];
  atomicAdd(&ranks[edge.y], shares[edge.x]);
}

int main() {
  const int vertices = 1 << 19, count = 1 << 22;
  Random random{44};
  std::vector<int2> edges(count);
  std::vector<float> shares(vertices);
  std::vector<double> wanted(vertices);
  for (auto& share : shares) share = random.unit();
  for (auto& edge : edges) {
    // A few vertices get many of the edges.
    const float u = random.unit();
    edge = make_int2(random.below(vertices), int(vertices * u * u * u * u));
  }
  // By source, as a graph is stored.
  std::stable_sort(edges.begin(), edges.end(),
                   [](const int2& a, const int2& b) { return a.x < b.x; });
  for (const auto& edge : edges) wanted[edge.y] += shares[edge.x];
  int2* d_edges = upload(edges);
  float* d_shares = upload(shares);
  float* d_ranks = allocate<float>(vertices);
  const Shape shape{count / 256, 256};
  const auto restore = [&] { check(cudaMemset(d_ranks, 0, vertices * sizeof(float))); };
  const auto times = measure(restore, [&] {
    pagerank_push_kernel<<<shape.grid, shape.block>>>(d_edges, d_shares, d_ranks, count);
  });
  const auto ranks = download(d_ranks, vertices);
  for (int v = 0; v < vertices; v++) expect(near(ranks[v], wanted[v], 1e-3));
  // The order of the additions is up to the machine, so the last digits are.
  report("pagerank_push", "pagerank_push_kernel", shape, times, std::rint(checksum(ranks) / 100));
}
