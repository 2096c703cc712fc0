#include "worker/backend.h"

#include "emulator/emulator.h"

namespace tilelab::worker {

void start_backend(void (*on_fatal)(const char*)) {
  emulator::set_fatal_handler(on_fatal);
  emulator::tell_what_runs_on(wire::time_is_over);
}

std::string bus_id() { return {}; }

void reset_persisting_cache() {}

std::byte* allocate_host_array(std::size_t bytes) {
  return static_cast<std::byte*>(emulator::allocate_host_array(bytes));
}

void release_host_array(std::byte* array) { emulator::release_host_array(array); }

void set_order(Order order, std::uint64_t seed) { emulator::set_order(order, seed); }

void name_passed_arrays(std::span<const PassedArray> arrays) {
  emulator::name_passed_arrays(arrays);
}

void begin_call(bool may_read_back) { emulator::begin_call(may_read_back); }

void end_call() { emulator::end_call(); }

void begin_counting_calls(const CallToFail& failing) { emulator::begin_counting_calls(failing); }

FailedCall end_counting_calls() { return emulator::end_counting_calls(); }

std::string fault_details() { return emulator::fault_message(); }

std::span<const std::uint64_t> fault_callers() { return emulator::fault_callers(); }

}  // namespace tilelab::worker
