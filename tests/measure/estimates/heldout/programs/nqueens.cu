#include "timed.h"

constexpr int queens = 14, placed = 4, depth = queens - placed;

struct Board {
  uint32_t columns, left, right;
};

extern "C" __global__ void nqueens_kernel(const Board* boards, int count, unsigned* solutions) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  constexpr uint32_t all = (1u << queens) - 1;
  uint32_t columns[depth + 1], left[depth + 1], right[depth + 1], free[depth + 1];
  const Board board = boards[thread];
  columns[0] = board.columns, left[0] = board.left, right[0] = board.right;
  free[0] = all & ~(board.columns | board.left | board.right);
  int row = 0;
  unsigned found = 0;
  while (row >= 0) {
    const uint32_t queen = free[row] & -free[row];
    if (queen == 0) {
      row--;
      continue;
    }
    free[row] ^= queen;
    if (row == depth - 1) {
      found++;
      continue;
    }
    columns[row + 1] = columns[row] | queen;
    left[row + 1] = (left[row] | queen) << 1;
    right[row + 1] = (right[row] | queen) >> 1;
    row++;
    free[row] = all & ~(columns[row] | left[row] | right[row]);
  }
  solutions[thread] = found;
}

void place(Board board, int row, std::vector<Board>& boards) {
  if (row == placed) {
    boards.push_back(board);
    return;
  }
  for (int column = 0; column < queens; column++) {
    const uint32_t queen = 1u << column;
    if ((board.columns | board.left | board.right) & queen) continue;
    place({board.columns | queen, (board.left | queen) << 1, (board.right | queen) >> 1}, row + 1,
          boards);
  }
}

int main() {
  std::vector<Board> boards;
  place({0, 0, 0}, 0, boards);
  const int count = int(boards.size());
  Board* d_boards = upload(boards);
  unsigned* d_solutions = allocate<unsigned>(count);
  const Shape shape{blocks_for(count, 64), 64};
  const auto times = measure(
      [] {}, [&] { nqueens_kernel<<<shape.grid, shape.block>>>(d_boards, count, d_solutions); });
  const auto solutions = download(d_solutions, count);
  expect(std::accumulate(solutions.begin(), solutions.end(), 0u) == 365596);
  report("nqueens", "nqueens_kernel", shape, times, checksum(solutions));
}
