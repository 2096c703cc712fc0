#include "estimator/timing/l1_unit.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace tilelab::estimator {

L1Unit::L1Unit(const Gpu& gpu, double cache_bytes, int resident, MemorySystem& memory)
    : gpu_(gpu), cache_(cache_bytes), resident_(resident), memory_(memory) {}

Served L1Unit::serve(double now, const Instruction& one, const Trace& trace, const Step& step,
                     int block) {
  const double begin = std::max(now, free_);
  double cycles = 1;
  Served made;
  switch (one.operation) {
    case Operation::MATCH:
    case Operation::SHFL:
    case Operation::LDS:
    case Operation::STS:
    case Operation::ATOMS:
      made.done = serve_nearby(begin, one, step, cycles);
      break;
    case Operation::LDL:
    case Operation::STL:
      made.done = serve_local(begin, one, trace, step, block, cycles);
      break;
    default:
      made = serve_global(begin, one, trace, step, block, cycles);
      made.is_long = true;
      break;
  }
  free_ = begin + cycles;
  busy_ += cycles;
  made.read = begin + cycles;
  return made;
}

/// Serves what does not leave the SM.
/// @param cycles  is set to how long it keeps the unit busy
/// @return when the result is there
double L1Unit::serve_nearby(double begin, const Instruction& one, const Step& step,
                            double& cycles) const {
  switch (one.operation) {
    case Operation::MATCH:
      cycles = std::max(1.0, gpu_.match * step.passes);
      return begin + cycles + gpu_.shuffle_latency;
    case Operation::SHFL:
      cycles = gpu_.shuffle;
      return begin + cycles + gpu_.shuffle_latency;
    case Operation::LDS:
    case Operation::STS:
      cycles = std::max({1.0, static_cast<double>(step.passes), one.bytes == 16 ? 2.0 : 1.0});
      return begin + cycles + gpu_.shared_latency;
    default:  // ATOMS
      cycles = std::max<double>(one.has("POPC") ? gpu_.shared_increment : gpu_.shared_atomic,
                                step.passes);
      return begin + cycles + gpu_.shared_latency;
  }
}

/// Serves local memory, which blocks have in turn. What is stored stays in the cache until it
/// leaves for other lines.
double L1Unit::serve_local(double begin, const Instruction& one, const Trace& trace,
                           const Step& step, int block, double& cycles) {
  cycles = std::max(1.0, gpu_.l1_line * step.lines);
  double done = begin + cycles + gpu_.l1_latency;
  for (std::size_t i = step.first_line; i < std::size_t{step.first_line} + step.lines; ++i) {
    Line line = trace.lines[i];
    line.number += static_cast<std::uint64_t>(block % resident_) << 40U;
    if (one.operation == Operation::STL) {
      local_stores_ += std::popcount(line.sectors);
      cache_.find(line.number, line.sectors);
      cache_.add(line.number, line.sectors, begin);
      continue;
    }
    ++local_loads_;
    const double arrived = load(begin, line, block);
    if (arrived > done) ++local_misses_;
    done = std::max(done, arrived);
  }
  return done;
}

Served L1Unit::serve_global(double begin, const Instruction& one, const Trace& trace,
                            const Step& step, int block, double& cycles) {
  Served made;
  if (step.lanes == 0) {
    cycles = 1;
    made.done = begin + gpu_.l1_latency;
    return made;
  }
  const bool is_copy = one.operation == Operation::LDGSTS;
  const bool is_load = is_copy || one.operation == Operation::LDG || one.operation == Operation::LD;
  cycles = gpu_.l1_line * std::max<double>(step.lines, one.bytes >= 4 ? one.bytes / 4.0 : 1);
  if (is_copy) cycles = std::max<double>(cycles, step.passes);
  double done = begin + cycles + gpu_.l1_latency;
  for (std::size_t i = step.first_line; i < std::size_t{step.first_line} + step.lines; ++i) {
    const Line& line = trace.lines[i];
    if (is_load) {
      done = std::max(done, load(begin, line, block));
    } else if (is_global_atomic(one.operation)) {
      done = std::max(done, memory_.atomic(begin, one, step, line));
    } else {
      store(begin, line, block);
    }
  }
  // Stores wait for their way out in a queue of their own.
  cycles = std::max(cycles, store_free_ - gpu_.l1_queue - begin);
  // A queue of requests that is full holds up what comes next.
  cycles = std::max(cycles, memory_.queue_full_until() - begin);
  made.done = done;
  if (is_copy) {
    made.copied = done;
    made.done = begin + cycles + gpu_.l1_latency;
  }
  return made;
}

/// Sends a line's sectors to the L2 cache, one in a cycle. A sector of which only some bytes are
/// stored takes two.
void L1Unit::store(double begin, const Line& line, int block) {
  const int least = line.whole == line.sectors ? 1 : 2;
  store_free_ = std::max(begin, store_free_) + std::max(std::popcount(line.sectors), least);
  memory_.store(begin, line, block);
}

/// @return when the line's sectors have arrived, 0 if they had before
double L1Unit::load(double begin, const Line& line, int block) {
  const Cache::Found found = cache_.find(line.number, line.sectors);
  const double ready = found.hits != 0 ? found.ready : 0;
  const auto missing = static_cast<std::uint8_t>(line.sectors & ~found.hits);
  if (missing == 0) return ready;
  const double arrived = memory_.load(begin, line, missing, block);
  cache_.add(line.number, missing, arrived);
  return std::max(ready, arrived);
}

}  // namespace tilelab::estimator
