#include "timed.h"

constexpr int query_length = 192, subject_length = 512, letters = 20, gap = 4;

// A pair of sequences per block; a thread owns a letter of the query, and the block walks along
// the antidiagonals.
extern "C" __global__ void smith_waterman_kernel(const uint8_t* queries, const uint8_t* subjects,
                                                 const int8_t* substitution, int* scores) {
  __shared__ int8_t table[letters * letters];
  __shared__ uint8_t subject[subject_length];
  __shared__ int diagonals[3][query_length + 1];
  __shared__ int best_of_block;
  const int row = threadIdx.x;
  for (int i = row; i < letters * letters; i += query_length) table[i] = substitution[i];
  for (int i = row; i < subject_length; i += query_length) {
    subject[i] = subjects[blockIdx.x * subject_length + i];
  }
  for (int i = row; i < 3 * (query_length + 1); i += query_length) (&diagonals[0][0])[i] = 0;
  if (row == 0) best_of_block = 0;
  const int letter = queries[blockIdx.x * query_length + row];
  int best = 0;
  __syncthreads();
  for (int step = 0; step < query_length + subject_length - 1; step++) {
    const int column = step - row;
    int* current = diagonals[step % 3];
    const int* last = diagonals[(step + 2) % 3];
    const int* before = diagonals[(step + 1) % 3];
    int score = 0;
    if (column >= 0 && column < subject_length) {
      // Entry row + 1 is this row's; entry `row` belongs to the row above.
      const int up = last[row], left = column > 0 ? last[row + 1] : 0;
      const int corner = column > 0 ? before[row] : 0;
      score = max(0, max(corner + table[letter * letters + subject[column]], max(up, left) - gap));
      best = max(best, score);
    }
    current[row + 1] = score;
    __syncthreads();
  }
  atomicMax(&best_of_block, best);
  __syncthreads();
  if (row == 0) scores[blockIdx.x] = best_of_block;
}

int main() {
  const int pairs = 2640;
  Random random{24};
  std::vector<uint8_t> queries(size_t(pairs) * query_length),
      subjects(size_t(pairs) * subject_length);
  std::vector<int8_t> substitution(letters * letters);
  for (auto& letter : queries) letter = uint8_t(random.below(letters));
  for (auto& letter : subjects) letter = uint8_t(random.below(letters));
  for (int a = 0; a < letters; a++) {
    for (int b = 0; b <= a; b++) {
      substitution[a * letters + b] = substitution[b * letters + a] =
          int8_t(a == b ? 4 + random.below(6) : int(random.below(6)) - 4);
    }
  }
  uint8_t* d_queries = upload(queries);
  uint8_t* d_subjects = upload(subjects);
  int8_t* d_substitution = upload(substitution);
  int* d_scores = allocate<int>(pairs);
  const Shape shape{pairs, query_length};
  const auto times = measure([] {},
                             [&] {
                               smith_waterman_kernel<<<shape.grid, shape.block>>>(
                                   d_queries, d_subjects, d_substitution, d_scores);
                             });
  const auto scores = download(d_scores, pairs);
  for (int p : {0, 1000, pairs - 1}) {
    std::vector<int> above(subject_length + 1), own(subject_length + 1);
    int best = 0;
    for (int r = 0; r < query_length; r++) {
      for (int c = 0; c < subject_length; c++) {
        const int match = substitution[queries[p * query_length + r] * letters +
                                       subjects[p * subject_length + c]];
        own[c + 1] = std::max({0, above[c] + match, above[c + 1] - gap, own[c] - gap});
        best = std::max(best, own[c + 1]);
      }
      std::swap(above, own);
    }
    expect(scores[p] == best);
  }
  report("smith_waterman", "smith_waterman_kernel", shape, times, checksum(scores));
}
