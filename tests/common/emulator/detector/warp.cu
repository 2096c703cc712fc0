// Lanes of one warp: what __syncwarp orders, and which lanes a warp operation waits for.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr unsigned all_lanes = 0xffffffffu;

// The last steps of a reduction, as if the lanes of a warp ran in lockstep.
namespace warp_reduction_without_syncwarp {
__global__ void kernel(const int* in, int* out) {
  __shared__ int partial[32];
  const int lane = threadIdx.x;
  partial[lane] = in[lane];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half) partial[lane] += partial[lane + half];  // A B
  }
  if (lane == 0) *out = partial[0];
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(1);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace warp_reduction_without_syncwarp
DETECTOR_CASE(warp_reduction_without_syncwarp, shared_race);

namespace warp_reduction_with_syncwarp {
__global__ void kernel(const int* in, int* out) {
  __shared__ int partial[32];
  const int lane = threadIdx.x;
  partial[lane] = in[lane];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half) partial[lane] += partial[lane + half];
    __syncwarp();
  }
  if (lane == 0) *out = partial[0];
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(1);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace warp_reduction_with_syncwarp
DETECTOR_CASE(warp_reduction_with_syncwarp, none);

// Lanes exchange elements without waiting for each other.
namespace lanes_exchange_without_syncwarp {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];       // A
  data[lane] = tile[31 - lane];  // B
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace lanes_exchange_without_syncwarp
DETECTOR_CASE(lanes_exchange_without_syncwarp, shared_race);

// Three lanes read an element that one of them changes after it met another one, but not the third.
namespace two_of_three_readers_meet {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];
  __syncwarp();
  const int element = tile[lane < 3 ? 0 : lane];  // A
  if (lane < 2) __syncwarp(3);
  if (lane == 1) tile[0] = 1;  // B
  data[lane] = element;
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace two_of_three_readers_meet
DETECTOR_CASE(two_of_three_readers_meet, shared_race);

namespace three_readers_meet {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];
  __syncwarp();
  const int element = tile[lane < 3 ? 0 : lane];
  if (lane < 3) __syncwarp(7);
  if (lane == 1) tile[0] = 1;
  data[lane] = element;
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace three_readers_meet
DETECTOR_CASE(three_readers_meet, none);

// Each warp has a slice of the tile, so __syncwarp is enough.
namespace slice_per_warp {
__global__ void kernel(int* data, int rounds) {
  __shared__ int tile[128];
  const int lane = threadIdx.x % 32;
  int* slice = tile + threadIdx.x - lane;
  for (int r = 0; r < rounds; ++r) {
    slice[lane] = data[threadIdx.x];
    __syncwarp();
    data[threadIdx.x] = slice[31 - lane];
    __syncwarp();
  }
}
void run() {
  const Array<int> data(ascending(128));
  kernel<<<1, 128>>>(data, 3);
  finish();
}
}  // namespace slice_per_warp
DETECTOR_CASE(slice_per_warp, none);

// The last lane reads the first element of the next warp's slice, for which __syncwarp does not
// wait.
namespace slice_of_the_next_warp {
__global__ void kernel(int* data) {
  __shared__ int tile[128];
  tile[threadIdx.x] = data[threadIdx.x];  // A
  __syncwarp();
  data[threadIdx.x] = tile[(threadIdx.x + 1) % 128];  // B
}
void run() {
  const Array<int> data(ascending(128));
  kernel<<<1, 128>>>(data);
  finish();
}
}  // namespace slice_of_the_next_warp
DETECTOR_CASE(slice_of_the_next_warp, shared_race);

// Two half warps, each waiting for its own lanes and reading nothing else.
namespace halves_with_masks {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  tile[lane] = data[lane];
  __syncwarp(half);
  data[lane] = tile[lane ^ 15];
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace halves_with_masks
DETECTOR_CASE(halves_with_masks, none);

// Each half waits for its own lanes, and reads the other half's elements.
namespace halves_read_each_other {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  tile[lane] = data[lane];  // A
  __syncwarp(half);
  data[lane] = tile[lane ^ 16];  // B
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace halves_read_each_other
DETECTOR_CASE(halves_read_each_other, shared_race);

// Lanes write different values to one place in the same instruction.
namespace lanes_write_one_place {
__global__ void kernel(const int* in, int* out) {
  __shared__ int last;
  last = in[threadIdx.x];  // A B
  __syncwarp();
  out[threadIdx.x] = last;
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace lanes_write_one_place
DETECTOR_CASE(lanes_write_one_place, shared_race);

// Shuffles move registers. Without memory there is no data race.
namespace shuffle_reduction {
__global__ void kernel(const int* in, int* out) {
  int total = in[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) {
    total += __shfl_xor_sync(all_lanes, total, distance);
  }
  out[threadIdx.x] = total;
}
void run() {
  const Array<int> in(ascending(64));
  const Array<int> out(64);
  kernel<<<1, 64>>>(in, out);
  finish();
}
}  // namespace shuffle_reduction
DETECTOR_CASE(shuffle_reduction, none);

// Half the warp shuffles, with a mask that says so.
namespace shuffle_of_half_a_warp {
__global__ void kernel(const int* in, int* out) {
  const int lane = threadIdx.x;
  if (lane < 16) out[lane] = __shfl_down_sync(0x0000ffffu, in[lane], 1, 16);
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_of_half_a_warp
DETECTOR_CASE(shuffle_of_half_a_warp, none);

// Half the warp shuffles with a mask of all, while the other half waits at the barrier.
namespace shuffle_misses_half_a_warp {
__global__ void kernel(const int* in, int* out) {
  const int lane = threadIdx.x;
  int value = 0;
  if (lane < 16) value = __shfl_down_sync(all_lanes, in[lane], 1);  // A
  __syncthreads();
  out[lane] = value;
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_misses_half_a_warp
DETECTOR_CASE(shuffle_misses_half_a_warp, missing_lane);

// A ballot within a branch, with a mask of all, while the others wait at the barrier.
namespace ballot_within_a_branch {
__global__ void kernel(const int* in, int* out) {
  unsigned votes = 0;
  if (in[threadIdx.x] % 3 == 0) votes = __ballot_sync(all_lanes, 1);  // A
  __syncthreads();
  out[threadIdx.x] = static_cast<int>(votes);
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace ballot_within_a_branch
DETECTOR_CASE(ballot_within_a_branch, missing_lane);

// __syncwarp of all lanes within a branch that some do not take, while they wait at the barrier.
namespace syncwarp_within_a_branch {
__global__ void kernel(int* data) {
  const int lane = threadIdx.x;
  if (data[lane] < 10) {
    data[lane] = 0;
    __syncwarp();  // A
  }
  __syncthreads();
  data[lane] += 1;
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace syncwarp_within_a_branch
DETECTOR_CASE(syncwarp_within_a_branch, missing_lane);

// The mask is made of the lanes that take the branch.
namespace ballot_gives_the_mask {
__global__ void kernel(const int* in, int* out) {
  const int lane = threadIdx.x;
  const bool takes_part = in[lane] % 3 == 0;
  const unsigned mask = __ballot_sync(all_lanes, takes_part);
  if (takes_part) out[lane] = __shfl_sync(mask, in[lane], 0);
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace ballot_gives_the_mask
DETECTOR_CASE(ballot_gives_the_mask, none);

// Lanes past the end return before a shuffle whose mask names them.
namespace shuffle_after_early_return {
__global__ void kernel(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  if (lane >= n) return;
  out[lane] = __shfl_up_sync(all_lanes, in[lane], 1);  // A
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out, 20);
  finish();
}
}  // namespace shuffle_after_early_return
DEBATABLE_CASE(
    shuffle_after_early_return, missing_lane,
    "CUDA's guide requires every lane of the mask to come; hardware leaves out lanes that "
    "have exited, and so does the emulator's shuffle");

// Each lane takes the value of the next one, also of the first that is not in the mask.
namespace shuffle_from_outside_the_mask {
__global__ void kernel(const int* in, int* out) {
  const int lane = threadIdx.x;
  if (lane < 16) out[lane] = __shfl_down_sync(0x0000ffffu, in[lane], 1);  // A
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_from_outside_the_mask
DETECTOR_CASE(shuffle_from_outside_the_mask, undefined_shuffle);

// The mask is of the lanes that have an element, and lane 0 may not be one of them.
namespace shuffle_from_a_lane_without_an_element {
__global__ void kernel(const int* in, int* out) {
  const int lane = threadIdx.x;
  const bool takes_part = in[lane] % 2 == 1;
  const unsigned mask = __ballot_sync(all_lanes, takes_part);
  if (takes_part) out[lane] = __shfl_sync(mask, in[lane], 0);  // A
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_from_a_lane_without_an_element
DETECTOR_CASE(shuffle_from_a_lane_without_an_element, undefined_shuffle);

// The leader of the lanes that take part passes its value to them.
namespace shuffle_from_the_first_of_the_mask {
__global__ void kernel(const int* in, int* out) {
  const int lane = threadIdx.x;
  const bool takes_part = in[lane] % 2 == 1;
  const unsigned mask = __ballot_sync(all_lanes, takes_part);
  if (takes_part) out[lane] = __shfl_sync(mask, in[lane], __ffs(mask) - 1);
}
void run() {
  const Array<int> in(ascending(32));
  const Array<int> out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_from_the_first_of_the_mask
DETECTOR_CASE(shuffle_from_the_first_of_the_mask, none);

// The block's last warp has 16 lanes, and the sum takes in 16 more.
namespace sum_of_a_warp_that_is_not_full {
__global__ void kernel(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(all_lanes, sum, offset);  // A
  }
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}
void run() {
  const Array<int> in(ascending(48));
  const Array<int> out(2);
  kernel<<<1, 48>>>(in, out);
  finish();
}
}  // namespace sum_of_a_warp_that_is_not_full
DETECTOR_CASE(sum_of_a_warp_that_is_not_full, undefined_shuffle);

// Lanes without an element stay, and bring a zero.
namespace sum_with_zeros_past_the_end {
__global__ void kernel(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  int sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(all_lanes, sum, offset);
  if (i % 32 == 0) out[i / 32] = sum;
}
void run() {
  const Array<int> in(ascending(48));
  const Array<int> out(2);
  kernel<<<1, 64>>>(in, out, 48);
  finish();
}
}  // namespace sum_with_zeros_past_the_end
DETECTOR_CASE(sum_with_zeros_past_the_end, none);

// A shuffle between the store and the load: lanes have met, but a shuffle does not order memory.
namespace shuffle_taken_for_a_fence {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];  // A
  const int other = __shfl_xor_sync(all_lanes, data[lane], 1);
  data[lane] = tile[31 - lane] + other;  // B
}
void run() {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}
}  // namespace shuffle_taken_for_a_fence
DEBATABLE_CASE(shuffle_taken_for_a_fence, shared_race,
               "CUDA's guide says that shuffles do not order memory; a tool may let every warp "
               "operation order it, as hardware in effect does");

// Which lanes of the branch take part is not known.
namespace shuffle_with_the_active_mask_of_a_branch {
__global__ void kernel(const int* in, int* out) {
  int sum = in[threadIdx.x];
  if (threadIdx.x < 16) {
    const unsigned mask = __activemask();
    for (int half = 8; half > 0; half /= 2) {
      sum += __shfl_down_sync(mask, sum, half, 16);  // A
    }
    if (threadIdx.x == 0) *out = sum;
  }
}
void run() {
  const Array<int> in(ascending(32)), out(1);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_with_the_active_mask_of_a_branch
DETECTOR_CASE(shuffle_with_the_active_mask_of_a_branch, note_branch_mask);

// The function that reduces gets the mask from its caller.
namespace reduction_with_the_active_mask_of_a_branch {
__device__ int sum_of(unsigned mask, int value) {
  return __reduce_add_sync(mask, value);  // A
}
__global__ void kernel(const int* in, int* out) {
  const int value = in[threadIdx.x];
  if (value % 3 == 0) out[threadIdx.x] = sum_of(__activemask(), value);
}
void run() {
  const Array<int> in(ascending(32)), out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace reduction_with_the_active_mask_of_a_branch
DETECTOR_CASE(reduction_with_the_active_mask_of_a_branch, note_branch_mask);

// The mask is made before the branch.
namespace shuffle_with_the_ballot_of_a_branch {
__global__ void kernel(const int* in, int* out) {
  int sum = in[threadIdx.x];
  const unsigned mask = __ballot_sync(all_lanes, threadIdx.x < 16);
  if (threadIdx.x < 16) {
    for (int half = 8; half > 0; half /= 2) sum += __shfl_down_sync(mask, sum, half, 16);
    if (threadIdx.x == 0) *out = sum;
  }
}
void run() {
  const Array<int> in(ascending(32)), out(1);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_with_the_ballot_of_a_branch
DETECTOR_CASE(shuffle_with_the_ballot_of_a_branch, none);

// One atomic operation for all lanes that happen to be together, however many they are.
namespace one_addition_for_the_active_lanes {
__global__ void kernel(const int* in, int* count, int* places) {
  if (in[threadIdx.x] % 3 != 0) return;
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1;
  int first = 0;
  if (threadIdx.x % 32 == leader) first = atomicAdd(count, __popc(active));
  first = __shfl_sync(active, first, leader);
  places[first + __popc(active & ((1u << threadIdx.x % 32) - 1))] = in[threadIdx.x];
}
void run() {
  const Array<int> in(ascending(64)), count(std::vector<int>{0}), places(64);
  kernel<<<1, 64>>>(in, count, places);
  finish();
}
}  // namespace one_addition_for_the_active_lanes
DETECTOR_CASE(one_addition_for_the_active_lanes, none);

// All lanes are there: it is no branch.
namespace shuffle_with_the_active_mask_of_all {
__global__ void kernel(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(__activemask(), sum, half);
  out[threadIdx.x] = sum;
}
void run() {
  const Array<int> in(ascending(32)), out(32);
  kernel<<<1, 32>>>(in, out);
  finish();
}
}  // namespace shuffle_with_the_active_mask_of_all
DETECTOR_CASE(shuffle_with_the_active_mask_of_all, none);

}  // namespace
