#include "estimator/timing/sub_partition.h"

#include <algorithm>

namespace tilelab::estimator {

namespace {

/// Whether an instruction reads all of its registers when it is issued.
bool reads_at_once(const Instruction& one) {
  return one.pipe == Pipe::fma || one.pipe == Pipe::fma_heavy || one.pipe == Pipe::alu;
}

}  // namespace

double SubPartition::pipe_free(const Instruction& one) const {
  if (one.pipe == Pipe::fma) return std::min(fma_free_[0], fma_free_[1]);
  if (one.pipe == Pipe::fma_heavy) return fma_free_[0];
  return free_[static_cast<std::size_t>(one.pipe)];
}

/// A bank gives one register per cycle, and an instruction has a window of some cycles to read.
double SubPartition::banks_free(const Instruction& one) const {
  if (!reads_at_once(one)) return 0;
  double free = 0;
  for (std::size_t bank = 0; bank < 2; ++bank) {
    if (one.reads[bank] == 0) continue;
    free = std::max(free, banks_free_[bank] + one.reads[bank] - gpu_.read_window);
  }
  return free;
}

void SubPartition::issue(double now, const Instruction& one) {
  if (reads_at_once(one)) {
    for (std::size_t bank = 0; bank < 2; ++bank) {
      banks_free_[bank] = std::max(banks_free_[bank], now) + one.reads[bank];
    }
  }
  const double until = now + busy_cycles(one.pipe);
  if (one.pipe == Pipe::fma) {
    (fma_free_[1] <= fma_free_[0] ? fma_free_[1] : fma_free_[0]) = until;
  } else if (one.pipe == Pipe::fma_heavy) {
    fma_free_[0] = until;
  } else {
    free_[static_cast<std::size_t>(one.pipe)] = until;
  }
}

double SubPartition::busy_cycles(Pipe pipe) const {
  switch (pipe) {
    case Pipe::fma:
    case Pipe::fma_heavy:
      return gpu_.fma;
    case Pipe::alu:
      return gpu_.alu;
    case Pipe::xu:
      return gpu_.xu;
    case Pipe::adu:
      return gpu_.adu;
    case Pipe::uniform:
      return gpu_.uniform;
    case Pipe::fp64:
      return gpu_.fp64;
    case Pipe::lsu:
    case Pipe::cbu:
    case Pipe::other:
      return 0;
  }
  return 0;
}

}  // namespace tilelab::estimator
