#include "timed.h"

constexpr uint32_t empty = 0xffffffffu;

__host__ __device__ inline uint32_t mix(uint32_t key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ (key >> 16);
}

extern "C" __global__ void hash_insert_kernel(const uint32_t* keys, int count, uint32_t* slots,
                                              uint32_t* uses, uint32_t mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint32_t key = keys[i];
  for (uint32_t slot = mix(key) & mask;; slot = (slot + 1) & mask) {
    const uint32_t before = atomicCAS(&slots[slot], empty, key);
    if (before != empty && before != key) continue;
    atomicAdd(&uses[slot], 1u);
    return;
  }
}

int main() {
  const uint32_t capacity = 1 << 22;
  const int count = 3 << 20;
  Random random{5};
  std::vector<uint32_t> keys(count);
  for (auto& key : keys) key = random.below(1u << 23);  // some keys come more than once
  uint32_t* d_keys = upload(keys);
  uint32_t* d_slots = allocate<uint32_t>(capacity);
  uint32_t* d_uses = allocate<uint32_t>(capacity);
  const Shape shape{blocks_for(count, 256), 256};
  const auto restore = [&] {
    check(cudaMemset(d_slots, 0xff, capacity * sizeof(uint32_t)));
    check(cudaMemset(d_uses, 0, capacity * sizeof(uint32_t)));
  };
  const auto times = measure(restore, [&] {
    hash_insert_kernel<<<shape.grid, shape.block>>>(d_keys, count, d_slots, d_uses, capacity - 1);
  });
  const auto slots = download(d_slots, capacity);
  const auto uses = download(d_uses, capacity);
  // Which slot a key takes depends on the order, but not which keys there are and how often.
  double sum = 0, wanted = 0;
  uint64_t total = 0, distinct = 0;
  for (uint32_t s = 0; s < capacity; s++) {
    if (slots[s] == empty) continue;
    sum += double(slots[s]) * uses[s];
    total += uses[s];
    distinct++;
  }
  for (uint32_t key : keys) wanted += key;
  std::sort(keys.begin(), keys.end());
  const auto unique = std::unique(keys.begin(), keys.end()) - keys.begin();
  expect(total == uint64_t(count) && distinct == uint64_t(unique) && sum == wanted);
  report("hash_insert", "hash_insert_kernel", shape, times, sum);
}
