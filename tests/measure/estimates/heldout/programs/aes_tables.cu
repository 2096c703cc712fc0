#include "timed.h"

constexpr int rounds = 10;
__constant__ uint32_t round_keys[4 * (rounds + 1)];

// AES-128 of one block with four tables; `tables` is in shared memory on the device.
__host__ __device__ inline void encrypt(uint32_t* s, const uint32_t* tables, const uint8_t* box,
                                        const uint32_t* keys) {
  for (int i = 0; i < 4; i++) s[i] ^= keys[i];
  for (int round = 1; round < rounds; round++) {
    uint32_t t[4];
    for (int i = 0; i < 4; i++) {
      t[i] = tables[s[i] >> 24] ^ tables[256 + ((s[(i + 1) % 4] >> 16) & 255)] ^
             tables[512 + ((s[(i + 2) % 4] >> 8) & 255)] ^ tables[768 + (s[(i + 3) % 4] & 255)] ^
             keys[4 * round + i];
    }
    for (int i = 0; i < 4; i++) s[i] = t[i];
  }
  uint32_t t[4];
  for (int i = 0; i < 4; i++) {
    t[i] = (uint32_t(box[s[i] >> 24]) << 24 | uint32_t(box[(s[(i + 1) % 4] >> 16) & 255]) << 16 |
            uint32_t(box[(s[(i + 2) % 4] >> 8) & 255]) << 8 | box[s[(i + 3) % 4] & 255]) ^
           keys[4 * rounds + i];
  }
  for (int i = 0; i < 4; i++) s[i] = t[i];
}

extern "C" __global__ void aes_tables_kernel(const uint4* in, uint4* out, const uint32_t* tables,
                                             const uint8_t* box, int count) {
  __shared__ uint32_t shared_tables[1024];
  __shared__ uint8_t shared_box[256];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) shared_tables[i] = tables[i];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) shared_box[i] = box[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint4 text = in[i];
    uint32_t state[4] = {text.x, text.y, text.z, text.w};
    encrypt(state, shared_tables, shared_box, round_keys);
    out[i] = make_uint4(state[0], state[1], state[2], state[3]);
  }
}

uint8_t times_two(uint8_t x) { return uint8_t(x << 1 ^ (x & 128 ? 0x1b : 0)); }

int main() {
  const int count = 1 << 21;
  std::vector<uint8_t> box(256);
  // p runs through the powers of 3, q through their inverses.
  uint8_t p = 1, q = 1;
  do {
    p = uint8_t(p ^ times_two(p));
    q ^= q << 1, q ^= q << 2, q ^= q << 4;
    if (q & 128) q ^= 9;
    const auto turned = [&](int n) { return uint8_t(q << n | q >> (8 - n)); };
    box[p] = uint8_t(q ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63);
  } while (p != 1);
  box[0] = 0x63;
  std::vector<uint32_t> tables(1024), keys(4 * (rounds + 1));
  for (int i = 0; i < 256; i++) {
    const uint8_t s = box[i], s2 = times_two(s);
    const uint32_t entry = uint32_t(s2) << 24 | s << 16 | s << 8 | uint8_t(s ^ s2);
    for (int t = 0; t < 4; t++)
      tables[256 * t + i] = t ? entry >> 8 * t | entry << (32 - 8 * t) : entry;
  }
  for (int i = 0; i < 4; i++) keys[i] = 0x00010203u + 0x04040404u * i;
  uint8_t constant = 1;
  for (size_t i = 4; i < keys.size(); i++) {
    uint32_t last = keys[i - 1];
    if (i % 4 == 0) {
      last = uint32_t(box[last >> 16 & 255] ^ constant) << 24 | box[last >> 8 & 255] << 16 |
             box[last & 255] << 8 | box[last >> 24];
      constant = times_two(constant);
    }
    keys[i] = keys[i - 4] ^ last;
  }
  // The example of FIPS 197.
  uint32_t example[4] = {0x00112233, 0x44556677, 0x8899aabb, 0xccddeeff};
  encrypt(example, tables.data(), box.data(), keys.data());
  expect(example[0] == 0x69c4e0d8 && example[3] == 0x70b4c55a);

  Random random{27};
  std::vector<uint4> in(count);
  for (auto& text : in)
    text = make_uint4(random.next(), random.next(), random.next(), random.next());
  check(cudaMemcpyToSymbol(round_keys, keys.data(), keys.size() * sizeof(uint32_t)));
  uint4* d_in = upload(in);
  uint4* d_out = allocate<uint4>(count);
  uint32_t* d_tables = upload(tables);
  uint8_t* d_box = upload(box);
  const Shape shape{132 * 4, 512};
  const auto times = measure(
      [] {},
      [&] { aes_tables_kernel<<<shape.grid, shape.block>>>(d_in, d_out, d_tables, d_box, count); });
  const auto out = download(d_out, count);
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += double(out[i].x) + 2.0 * out[i].w;
    if (i % 1009 != 0) continue;
    uint32_t state[4] = {in[i].x, in[i].y, in[i].z, in[i].w};
    encrypt(state, tables.data(), box.data(), keys.data());
    expect(out[i].x == state[0] && out[i].y == state[1] && out[i].z == state[2] &&
           out[i].w == state[3]);
  }
  report("aes_tables", "aes_tables_kernel", shape, times, sum);
}
