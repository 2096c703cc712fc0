#include "emulator/runtime/execution/warp_results.h"

#include <algorithm>

#include "emulator/runtime/memory/poison.h"

namespace tilelab::emulator {
namespace {

template <class Combine>
std::uint64_t fold(const WarpRequests& requests, Combine combine) {
  const WarpRequest* first = nullptr;
  std::uint32_t result = 0;
  for (const WarpRequest* request : requests) {
    if (request == nullptr) continue;
    const auto value = static_cast<std::uint32_t>(request->value);
    result = first == nullptr ? value : combine(result, value);
    first = request;
  }
  return result;
}

/// The participants whose value passes the test.
template <class Test>
unsigned lanes_where(const WarpRequests& requests, Test test) {
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (requests[lane] != nullptr && test(requests[lane]->value)) lanes |= 1u << lane;
  }
  return lanes;
}

std::uint32_t signed_min(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
}
std::uint32_t signed_max(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a : b;
}

}  // namespace

// As PTX defines it: a source outside of the segment means the lane itself.
unsigned source_lane(const WarpRequest& request, unsigned lane) {
  const auto width = static_cast<unsigned>(request.width);
  const unsigned operand = request.operand % warp_lanes;
  const unsigned segment = lane & ~(width - 1);
  switch (request.operation) {
    case WarpOperation::shuffle_up:
      return lane - segment < operand ? lane : lane - operand;
    case WarpOperation::shuffle_down:
      return lane + operand >= segment + width ? lane : lane + operand;
    case WarpOperation::shuffle_xor:
      return (lane ^ operand) >= segment + width ? lane : lane ^ operand;
    default:
      return segment + operand % width;
  }
}

bool is_shuffle(WarpOperation operation) {
  return operation == WarpOperation::shuffle_index || operation == WarpOperation::shuffle_up ||
         operation == WarpOperation::shuffle_down || operation == WarpOperation::shuffle_xor;
}

bool is_reduction(WarpOperation operation) {
  return operation >= WarpOperation::reduce_add && operation <= WarpOperation::reduce_xor;
}

std::uint64_t warp_result(const WarpRequests& requests, unsigned participants, unsigned lane) {
  const WarpRequest& own = *requests[lane];
  const auto is_true = [](std::uint64_t value) { return value != 0; };
  const auto equals_own = [&](std::uint64_t value) { return value == own.value; };
  using Word = std::uint32_t;
  switch (own.operation) {
    case WarpOperation::sync:
      return 0;
    case WarpOperation::shuffle_index:
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_xor: {
      const WarpRequest* source = requests[source_lane(own, lane)];
      return source != nullptr ? source->value : poison_bits;
    }
    case WarpOperation::all:
      return lanes_where(requests, is_true) == participants;
    case WarpOperation::any:
      return lanes_where(requests, is_true) != 0;
    case WarpOperation::ballot:
      return lanes_where(requests, is_true);
    case WarpOperation::match_any:
      return lanes_where(requests, equals_own);
    case WarpOperation::match_all:
      return lanes_where(requests, equals_own) == participants ? participants : 0;
    case WarpOperation::reduce_add:
      return fold(requests, [](Word a, Word b) { return a + b; });
    case WarpOperation::reduce_min_signed:
      return fold(requests, signed_min);
    case WarpOperation::reduce_max_signed:
      return fold(requests, signed_max);
    case WarpOperation::reduce_min_unsigned:
      return fold(requests, [](Word a, Word b) { return std::min(a, b); });
    case WarpOperation::reduce_max_unsigned:
      return fold(requests, [](Word a, Word b) { return std::max(a, b); });
    case WarpOperation::reduce_and:
      return fold(requests, [](Word a, Word b) { return a & b; });
    case WarpOperation::reduce_or:
      return fold(requests, [](Word a, Word b) { return a | b; });
    case WarpOperation::reduce_xor:
      return fold(requests, [](Word a, Word b) { return a ^ b; });
    case WarpOperation::active_mask:
      return participants;
  }
  return 0;
}

const char* name_of(WarpOperation operation) {
  switch (operation) {
    case WarpOperation::sync:
      return "__syncwarp()";
    case WarpOperation::shuffle_index:
      return "__shfl_sync()";
    case WarpOperation::shuffle_up:
      return "__shfl_up_sync()";
    case WarpOperation::shuffle_down:
      return "__shfl_down_sync()";
    case WarpOperation::shuffle_xor:
      return "__shfl_xor_sync()";
    case WarpOperation::all:
      return "__all_sync()";
    case WarpOperation::any:
      return "__any_sync()";
    case WarpOperation::ballot:
      return "__ballot_sync()";
    case WarpOperation::match_any:
      return "__match_any_sync()";
    case WarpOperation::match_all:
      return "__match_all_sync()";
    case WarpOperation::reduce_add:
      return "__reduce_add_sync()";
    case WarpOperation::reduce_min_signed:
    case WarpOperation::reduce_min_unsigned:
      return "__reduce_min_sync()";
    case WarpOperation::reduce_max_signed:
    case WarpOperation::reduce_max_unsigned:
      return "__reduce_max_sync()";
    case WarpOperation::reduce_and:
      return "__reduce_and_sync()";
    case WarpOperation::reduce_or:
      return "__reduce_or_sync()";
    case WarpOperation::reduce_xor:
      return "__reduce_xor_sync()";
    case WarpOperation::active_mask:
      return "__activemask()";
  }
  return "";
}

}  // namespace tilelab::emulator
