#include "timed.h"

constexpr int longest = 9, symbols_per_stream = 256;

// Each thread decodes a stream; an entry of the table is length << 8 | symbol.
extern "C" __global__ void huffman_decode_kernel(const uint32_t* words, const int* starts,
                                                 const uint16_t* table, uint8_t* symbols,
                                                 int streams) {
  __shared__ uint16_t shared_table[1 << longest];
  for (int i = threadIdx.x; i < 1 << longest; i += blockDim.x) shared_table[i] = table[i];
  __syncthreads();
  const int stream = blockIdx.x * blockDim.x + threadIdx.x;
  if (stream >= streams) return;
  int next = starts[stream], bits = 0;
  uint64_t buffer = 0;  // the next bits are the highest ones
  for (int i = 0; i < symbols_per_stream; i++) {
    if (bits < longest) {
      buffer |= uint64_t(words[next++]) << (32 - bits);
      bits += 32;
    }
    const uint16_t entry = shared_table[buffer >> (64 - longest)];
    const int length = entry >> 8;
    buffer <<= length;
    bits -= length;
    symbols[size_t(i) * streams + stream] = uint8_t(entry);
  }
}

int main() {
  const int streams = 1 << 16;
  // Two symbols of each length from 2 to 8 bits and four of 9 bits: a complete code.
  const int how_many[longest + 1] = {0, 0, 2, 2, 2, 2, 2, 2, 2, 4};
  std::vector<uint32_t> codes, lengths;
  std::vector<uint16_t> table(1 << longest);
  uint32_t code = 0;
  for (int length = 1; length <= longest; length++) {
    code <<= 1;
    for (int i = 0; i < how_many[length]; i++, code++) {
      const uint32_t first = code << (longest - length);
      for (uint32_t e = first; e < first + (1u << (longest - length)); e++) {
        table[e] = uint16_t(length << 8 | codes.size());
      }
      codes.push_back(code);
      lengths.push_back(length);
    }
  }
  expect(code == 1 << longest);
  Random random{43};
  std::vector<uint32_t> words;
  std::vector<int> starts(streams);
  std::vector<uint8_t> wanted(size_t(symbols_per_stream) * streams);
  for (int s = 0; s < streams; s++) {
    starts[s] = int(words.size());
    uint64_t buffer = 0;
    int bits = 0;
    for (int i = 0; i < symbols_per_stream; i++) {
      const uint8_t symbol = uint8_t(table[random.below(1 << longest)]);  // as frequent as coded
      wanted[size_t(i) * streams + s] = symbol;
      buffer = buffer << lengths[symbol] | codes[symbol];
      bits += int(lengths[symbol]);
      if (bits >= 32) words.push_back(uint32_t(buffer >> (bits -= 32)));
    }
    words.push_back(uint32_t(buffer << (32 - bits)));
  }
  words.push_back(0);
  uint32_t* d_words = upload(words);
  int* d_starts = upload(starts);
  uint16_t* d_table = upload(table);
  uint8_t* d_symbols = allocate<uint8_t>(wanted.size());
  const Shape shape{streams / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               huffman_decode_kernel<<<shape.grid, shape.block>>>(
                                   d_words, d_starts, d_table, d_symbols, streams);
                             });
  const auto symbols = download(d_symbols, wanted.size());
  expect(symbols == wanted);
  report("huffman_decode", "huffman_decode_kernel", shape, times, checksum(symbols));
}
