#include "timed.h"

// Small keys go to the front, the others to the back; a warp reserves room with one atomic per
// side.
extern "C" __global__ void quicksort_partition_kernel(const int* in, int* out, int count, int pivot,
                                                      int* ends) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const bool inside = i < count;
  const int key = inside ? in[i] : 0;
  const bool small = inside && key < pivot;
  const unsigned smalls = __ballot_sync(0xffffffffu, small);
  const unsigned others = __ballot_sync(0xffffffffu, inside && !small);
  int front = 0, back = 0;
  if (lane == 0) {
    front = atomicAdd(&ends[0], __popc(smalls));
    back = atomicAdd(&ends[1], __popc(others));
  }
  front = __shfl_sync(0xffffffffu, front, 0);
  back = __shfl_sync(0xffffffffu, back, 0);
  const unsigned before = (1u << lane) - 1;
  if (small) {
    out[front + __popc(smalls & before)] = key;
  } else if (inside) {
    out[count - 1 - back - __popc(others & before)] = key;
  }
}

int main() {
  const int count = 6000000, pivot = 400000;
  Random random{32};
  std::vector<int> in(count);
  for (int& key : in) key = int(random.below(1000000));
  int* d_in = upload(in);
  int* d_out = allocate<int>(count);
  int* d_ends = allocate<int>(2);
  const Shape shape{blocks_for(count, 256), 256};
  const auto restore = [&] { check(cudaMemset(d_ends, 0, 2 * sizeof(int))); };
  const auto times = measure(restore, [&] {
    quicksort_partition_kernel<<<shape.grid, shape.block>>>(d_in, d_out, count, pivot, d_ends);
  });
  const auto out = download(d_out, count);
  const auto ends = download(d_ends, 2);
  expect(ends[0] + ends[1] == count);
  // The order within a side is up to the machine.
  double sum = 0, wanted = 0;
  for (int i = 0; i < count; i++) {
    expect((out[i] < pivot) == (i < ends[0]));
    sum += out[i];
    wanted += in[i];
  }
  expect(sum == wanted);
  report("quicksort_partition", "quicksort_partition_kernel", shape, times, sum);
}
