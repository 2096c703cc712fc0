#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contract/wire.h"

/// What a worker needs beyond the CUDA runtime API, which differs between a GPU and the emulator.
namespace tilelab::worker {

/// Called once, before the first request. `on_fatal` takes a sentence, reports it and ends the
/// process; it is async-signal-safe.
void start_backend(void (*on_fatal)(const char* sentence));

/// Where the GPU is, as NVML wants to hear it, or "".
std::string bus_id();

/// The order in which the next launches run their blocks and threads, where that can be chosen.
void set_order(Order order, std::uint64_t seed);

/// Observes the launches that follow, where the worker was built to; else the report stays empty.
void start_observing(Detail detail);

/// Lets the report speak of an array of device memory by its name.
void name_array(const void* pointer, const char* name, std::size_t element_bytes,
                std::size_t elements);

/// Ends the observation; report::decode() reads the bytes.
std::vector<std::byte> take_report();

/// What is known of the last kernel fault beyond the CUDA error, or "".
std::string fault_details();

}  // namespace tilelab::worker
