#pragma once

#include "schema/estimate.h"
#include "schema/fields.h"

namespace tilelab::estimator {

/// What a GPU's microbenchmarks say of it. Cycles are those of an SM.
struct Gpu {
  double multiprocessors = 132;
  double gigahertz = 1.98;
  double registers = 65536;
  double warps = 64;  ///< that an SM holds at most
  double blocks = 32;
  double shared_bytes = 233472;
  double shared_reserved = 1024;
  double l1_bytes = 262144;  ///< L1 cache and shared memory together
  double l2_bytes = 50e6;
  double l2_reach = 33e6;  ///< bytes that a kernel touches and finds in the L2 cache again

  // Cycles for which an instruction keeps a pipe of a sub-partition of the SM busy.
  double fma = 2;  ///< each of the two halves of the pipe
  double alu = 2;
  double xu = 8;
  double adu = 4;
  double uniform = 2;
  double fp64 = 2;
  double read_window = 3;  ///< cycles in which an instruction reads its registers
  double shuffle = 1;      ///< of the whole SM

  // Latencies, in cycles.
  double xu_latency = 24;
  double constant_latency = 30;
  double special_latency = 20;
  double shuffle_latency = 24;
  double shared_latency = 29;
  double l1_latency = 39;
  double l2_latency = 250;
  double dram_latency = 760;
  double barrier_latency = 13;
  double barrier_arrival = 2;  ///< cycles of the whole SM for each warp
  double dram_wait = 70;       ///< cycles that a request waits for others when DRAM is half busy
  double block_latency = 380;  ///< of a block, beyond its instructions
  double block_warp_latency = 14;  ///< and for each of its warps
  double block_launch = 1.21;      ///< cycles of the whole GPU between two blocks

  // Rates of the whole GPU, per second.
  double l2_bytes_per_second = 8.2e12;
  double dram_read = 4.47e12;
  double dram_copy = 4.27e12;
  double partial_stores = 6.8e10;           ///< lines
  double atomics_same_word = 1.36e9;        ///< lanes, of integers
  double atomics_same_word_float = 5.66e8;  ///< lanes
  double atomics = 9.7e10;                  ///< lines
  double atomics_words = 3.9e11;            ///< different words
  double atomics_line = 1.04e8;             ///< requests for one line
  // The share of the time for 256 bytes of DRAM that it takes to open them.
  double dram_open_read = 0.16;
  double dram_open_write = 0.35;
  double match = 2;               ///< cycles for each different value
  double l1_line = 1.2;           ///< cycles for each line of global memory, or 4 bytes per lane
  double shared_increment = 1.4;  ///< cycles at least
  double shared_atomic = 2;       ///< cycles at least
  double l1_queue = 60;           ///< cycles of work that an SM's L1 queue holds
  double l2_queue = 800;
};

TILELAB_FIELDS(Gpu, multiprocessors, gigahertz, registers, warps, blocks, shared_bytes,
               shared_reserved, l1_bytes, l2_bytes, l2_reach, fma, alu, xu, adu, uniform, fp64,
               read_window, shuffle, xu_latency, constant_latency, special_latency, shuffle_latency,
               shared_latency, l1_latency, l2_latency, dram_latency, barrier_latency,
               barrier_arrival, dram_wait, block_latency, block_warp_latency, block_launch,
               l2_bytes_per_second, dram_read, dram_copy, partial_stores, atomics_same_word,
               atomics_same_word_float, atomics, atomics_words, atomics_line, dram_open_read,
               dram_open_write, match, l1_line, shared_increment, shared_atomic, l1_queue, l2_queue)

/// Sets a constant. Throws std::runtime_error if the GPU has none of this name.
void set(Gpu& gpu, const schema::Constant& constant);

}  // namespace tilelab::estimator
