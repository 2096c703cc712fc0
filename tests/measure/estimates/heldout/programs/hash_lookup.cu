#include "timed.h"

constexpr uint32_t empty = 0xffffffffu;

__host__ __device__ inline uint32_t mix(uint32_t key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ (key >> 16);
}

extern "C" __global__ void hash_lookup_kernel(const uint32_t* queries, int count,
                                              const uint2* slots, uint32_t mask, uint32_t* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint32_t key = queries[i];
  uint32_t slot = mix(key) & mask;
  uint2 entry = slots[slot];
  while (entry.x != key && entry.x != empty) {
    slot = (slot + 1) & mask;
    entry = slots[slot];
  }
  found[i] = entry.x == key ? entry.y : 0;
}

int main() {
  const uint32_t capacity = 1 << 23, entries = 6 << 20;
  const int count = 1 << 22;
  Random random{6};
  std::vector<uint2> slots(capacity, make_uint2(empty, 0));
  std::vector<uint32_t> keys(entries);
  for (uint32_t i = 0; i < entries; i++) {
    keys[i] = 2 * random.below(1u << 30);  // even keys are there, odd ones are not
    uint32_t slot = mix(keys[i]) & (capacity - 1);
    while (slots[slot].x != empty && slots[slot].x != keys[i]) slot = (slot + 1) & (capacity - 1);
    slots[slot] = make_uint2(keys[i], keys[i] / 2 + 1);
  }
  std::vector<uint32_t> queries(count);
  for (auto& query : queries) query = keys[random.below(entries)] + random.below(2);
  uint32_t* d_queries = upload(queries);
  uint2* d_slots = upload(slots);
  uint32_t* d_found = allocate<uint32_t>(count);
  const Shape shape{blocks_for(count, 256), 256};
  const auto times = measure([] {},
                             [&] {
                               hash_lookup_kernel<<<shape.grid, shape.block>>>(
                                   d_queries, count, d_slots, capacity - 1, d_found);
                             });
  const auto found = download(d_found, count);
  for (int i = 0; i < count; i++) {
    expect(found[i] == (queries[i] % 2 == 0 ? queries[i] / 2 + 1 : 0));
  }
  report("hash_lookup", "hash_lookup_kernel", shape, times, checksum(found));
}
