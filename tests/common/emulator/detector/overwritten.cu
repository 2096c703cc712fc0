// A race whose first write is gone when the race could be seen: the place is written once more, in
// order with both, before the next barrier of the block.

#include <cooperative_groups.h>

#include "signals.h"

namespace {

using namespace tilelab::detector;
namespace cg = cooperative_groups;

inline void launch_a_warp(void (*kernel)(int* data)) {
  const Array<int> data(ascending(32));
  kernel<<<1, 32>>>(data);
  finish();
}

// A reduction that writes the read value back, where the first of its barriers is missing.
namespace read_before_the_lanes_meet {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];            // A
  const int other = tile[31 - lane];  // B
  __syncwarp();
  tile[lane] = other;
  data[lane] = tile[lane];
}
void run() { launch_a_warp(kernel); }
}  // namespace read_before_the_lanes_meet
DETECTOR_CASE(read_before_the_lanes_meet, shared_race);

namespace read_between_two_meetings {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];
  __syncwarp();
  const int other = tile[31 - lane];
  __syncwarp();
  tile[lane] = other;
  data[lane] = tile[lane];
}
void run() { launch_a_warp(kernel); }
}  // namespace read_between_two_meetings
DETECTOR_CASE(read_between_two_meetings, none);

// The lanes overwrite what they have read, not what they have written.
namespace overwritten_by_the_reader {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = data[lane];            // A
  const int other = tile[31 - lane];  // B
  __syncwarp();
  tile[31 - lane] = other + 1;
  __syncwarp();
  data[lane] = tile[lane];
}
void run() { launch_a_warp(kernel); }
}  // namespace overwritten_by_the_reader
DETECTOR_CASE(overwritten_by_the_reader, shared_race);

namespace tiles_of_eight_meet_too_late {
__global__ void kernel(int* data) {
  __shared__ int tile[32];
  const auto eight = cg::tiled_partition<8>(cg::this_thread_block());
  const int lane = threadIdx.x;
  tile[lane] = data[lane];           // A
  const int other = tile[lane ^ 7];  // B
  eight.sync();
  tile[lane] = other;
  eight.sync();
  data[lane] = tile[lane];
}
void run() { launch_a_warp(kernel); }
}  // namespace tiles_of_eight_meet_too_late
DETECTOR_CASE(tiles_of_eight_meet_too_late, shared_race);

namespace global_memory_overwritten_after_a_meeting {
__global__ void kernel(int* data) {
  const int lane = threadIdx.x;
  data[lane] = lane;                  // A
  const int other = data[31 - lane];  // B
  __syncwarp();
  data[lane] = other;
}
void run() { launch_a_warp(kernel); }
}  // namespace global_memory_overwritten_after_a_meeting
DETECTOR_CASE(global_memory_overwritten_after_a_meeting, global_race);

// Each lane reads what another one is about to write, and a third one writes it after the meeting.
namespace read_before_its_first_write {
__global__ void kernel(int* data) {
  __shared__ int tile[64];
  const int lane = threadIdx.x;
  tile[lane] = 0;
  tile[32 + lane] = 0;
  __syncwarp();
  const int before = tile[32 + (lane + 1) % 32];  // A
  tile[32 + lane] = data[lane];                   // B
  __syncwarp();
  tile[32 + (lane + 2) % 32] = before;
  __syncwarp();
  data[lane] = tile[32 + lane];
}
void run() { launch_a_warp(kernel); }
}  // namespace read_before_its_first_write
DETECTOR_CASE(read_before_its_first_write, shared_race);

// Warp 1 reads before it knows that warp 0 has written, and warp 0 writes again once it is told.
namespace overwritten_after_a_signal {
__global__ void kernel(int* data, int* flags, int* out) {
  if (threadIdx.x == 0) {
    data[0] = 1;  // A
    wait_for(&flags[0]);
    __threadfence();
    data[0] = 2;
  } else if (threadIdx.x == 32) {
    out[0] = data[0];  // B
    __threadfence();
    raise_flag(&flags[0]);
  }
}
void run() { launch(kernel, 1, 64); }
}  // namespace overwritten_after_a_signal
DETECTOR_CASE(overwritten_after_a_signal, global_race);

namespace answered_before_it_is_overwritten {
__global__ void kernel(int* data, int* flags, int* out) {
  if (threadIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    raise_flag(&flags[1]);
    wait_for(&flags[0]);
    __threadfence();
    data[0] = 2;
  } else if (threadIdx.x == 32) {
    wait_for(&flags[1]);
    __threadfence();
    out[0] = data[0];
    __threadfence();
    raise_flag(&flags[0]);
  }
}
void run() { launch(kernel, 1, 64); }
}  // namespace answered_before_it_is_overwritten
DETECTOR_CASE(answered_before_it_is_overwritten, none);

// The same between two blocks.
namespace overwritten_after_a_signal_of_another_block {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 1;  // A
    wait_for(&flags[0]);
    __threadfence();
    data[0] = 2;
  } else {
    out[0] = data[0];  // B
    __threadfence();
    raise_flag(&flags[0]);
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace overwritten_after_a_signal_of_another_block
DETECTOR_CASE(overwritten_after_a_signal_of_another_block, global_race);

}  // namespace
