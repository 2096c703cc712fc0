// CAUSE: Each block walks over several tiles, but nothing makes its threads wait before the next round. A fast thread stores an element of the next tile into a slot that a slow one still needs as its left neighbor, so a second barrier belongs at the end of the loop.
// LINES: 43
// REPAIR: before line 43: add `__syncthreads();`
// SYMPTOM: Data race on the tile from the second round on; long rows get wrong differences.

#include "diff.h"

template <int Width>
class Segment {
 public:
  __device__ Segment(int* slots, const int* row, int length)
      : slots_(slots), row_(row), length_(length) {}

  __device__ void load(int begin) {
    begin_ = begin;
    const int at = begin + threadIdx.x;
    if (at < length_) slots_[threadIdx.x] = row_[at];
  }

  __device__ int left_of(int at) const {
    if (at == 0) return 0;
    return at > begin_ ? slots_[at - begin_ - 1] : row_[at - 1];
  }

  __device__ int operator[](int at) const { return slots_[at - begin_]; }

 private:
  int* slots_;
  const int* row_;
  int length_;
  int begin_ = 0;
};

template <int Width>
__global__ void steps(const int* row, int* result, int length) {
  __shared__ int slots[Width];
  Segment<Width> segment(slots, row, length);
  for (int begin = blockIdx.x * Width; begin < length; begin += gridDim.x * Width) {
    segment.load(begin);
    __syncthreads();
    const int at = begin + threadIdx.x;
    if (at < length) result[at] = segment[at] - segment.left_of(at);
  }
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  constexpr int width = 192;
  const int tiles = (n + width - 1) / width;
  steps<width><<<tiles < 64 ? tiles : 64, width>>>(in, out, n);
}
