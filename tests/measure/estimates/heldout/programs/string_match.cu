#include "timed.h"

constexpr int pattern_length = 48;
__constant__ char pattern[pattern_length];

// How many letters of the pattern match at each place of the text.
extern "C" __global__ void string_match_kernel(const char* text, int places, uint8_t* lengths) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= places) return;
  int length = 0;
  while (length < pattern_length && text[at + length] == pattern[length]) length++;
  lengths[at] = uint8_t(length);
}

int main() {
  const int places = 1 << 24;
  Random random{25};
  std::vector<char> text(places + pattern_length), host_pattern(pattern_length, 'a');
  for (auto& letter : text) letter = random.below(16) == 0 ? 'b' : 'a';
  host_pattern[pattern_length - 12] = 'b';
  check(cudaMemcpyToSymbol(pattern, host_pattern.data(), pattern_length));
  char* d_text = upload(text);
  uint8_t* d_lengths = allocate<uint8_t>(places);
  const Shape shape{places / 256, 256};
  const auto times = measure(
      [] {}, [&] { string_match_kernel<<<shape.grid, shape.block>>>(d_text, places, d_lengths); });
  const auto lengths = download(d_lengths, places);
  for (int at = 0; at < places; at += 101) {
    int length = 0;
    while (length < pattern_length && text[at + length] == host_pattern[length]) length++;
    expect(lengths[at] == length);
  }
  report("string_match", "string_match_kernel", shape, times, checksum(lengths));
}
