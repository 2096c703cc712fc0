#include "timed.h"

constexpr int longest = 48;

// The edit distance of a pair of words per thread, with a row of the table in local memory.
__host__ __device__ inline int distance(const char* a, int a_length, const char* b, int b_length) {
  uint8_t row[longest + 1];
  for (int j = 0; j <= b_length; j++) row[j] = uint8_t(j);
  for (int i = 0; i < a_length; i++) {
    const char letter = a[i];
    int corner = row[0], left = i + 1;
    row[0] = uint8_t(left);
    for (int j = 0; j < b_length; j++) {
      const int up = row[j + 1];
      const int change = corner + (letter != b[j]);
      left = left < up ? left + 1 : up + 1;
      left = left < change ? left : change;
      row[j + 1] = uint8_t(left);
      corner = up;
    }
  }
  return row[b_length];
}

extern "C" __global__ void levenshtein_kernel(const char* words, const uint8_t* lengths,
                                              const int2* pairs, int* distances, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int2 pair = pairs[i];
  distances[i] = distance(words + pair.x * longest, lengths[pair.x], words + pair.y * longest,
                          lengths[pair.y]);
}

int main() {
  const int words = 4096, count = 1 << 17;
  Random random{42};
  std::vector<char> text(words * longest);
  std::vector<uint8_t> lengths(words);
  std::vector<int2> pairs(count);
  for (auto& letter : text) letter = char('a' + random.below(6));
  for (auto& length : lengths) length = uint8_t(8 + random.below(longest - 7));
  for (auto& pair : pairs) pair = make_int2(random.below(words), random.below(words));
  char* d_text = upload(text);
  uint8_t* d_lengths = upload(lengths);
  int2* d_pairs = upload(pairs);
  int* d_distances = allocate<int>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               levenshtein_kernel<<<shape.grid, shape.block>>>(
                                   d_text, d_lengths, d_pairs, d_distances, count);
                             });
  const auto distances = download(d_distances, count);
  for (int i = 0; i < count; i += 101) {
    expect(distances[i] == distance(&text[pairs[i].x * longest], lengths[pairs[i].x],
                                    &text[pairs[i].y * longest], lengths[pairs[i].y]));
  }
  report("levenshtein", "levenshtein_kernel", shape, times, checksum(distances));
}
