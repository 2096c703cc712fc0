#include "timed.h"

__constant__ uint32_t table[256];

// A record per thread; the records' words are interleaved. Threads look up different entries of
// constant memory.
extern "C" __global__ void crc32_table_kernel(const uint32_t* words, uint32_t* sums, int records,
                                              int words_per_record) {
  const int record = blockIdx.x * blockDim.x + threadIdx.x;
  if (record >= records) return;
  uint32_t crc = ~0u;
  for (int i = 0; i < words_per_record; i++) {
    const uint32_t word = words[size_t(i) * records + record];
    for (int byte = 0; byte < 4; byte++) {
      crc = table[(crc ^ (word >> (8 * byte))) & 255] ^ (crc >> 8);
    }
  }
  sums[record] = ~crc;
}

int main() {
  const int records = 1 << 16, words_per_record = 64;
  Random random{26};
  std::vector<uint32_t> host_table(256), words(size_t(records) * words_per_record);
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t entry = i;
    for (int bit = 0; bit < 8; bit++) entry = entry & 1 ? 0xedb88320u ^ (entry >> 1) : entry >> 1;
    host_table[i] = entry;
  }
  for (auto& word : words) word = random.next();
  check(cudaMemcpyToSymbol(table, host_table.data(), 256 * sizeof(uint32_t)));
  uint32_t* d_words = upload(words);
  uint32_t* d_sums = allocate<uint32_t>(records);
  const Shape shape{records / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               crc32_table_kernel<<<shape.grid, shape.block>>>(
                                   d_words, d_sums, records, words_per_record);
                             });
  const auto sums = download(d_sums, records);
  for (int r = 0; r < records; r += 257) {
    uint32_t crc = ~0u;
    for (int i = 0; i < words_per_record; i++) {
      for (int byte = 0; byte < 4; byte++) {
        const uint32_t value = words[size_t(i) * records + r] >> (8 * byte);
        crc = host_table[(crc ^ value) & 255] ^ (crc >> 8);
      }
    }
    expect(sums[r] == ~crc);
  }
  report("crc32_table", "crc32_table_kernel", shape, times, checksum(sums));
}
