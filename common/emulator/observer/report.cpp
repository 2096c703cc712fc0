// What a report can do wherever it is read.

#include "observer.h"

namespace tilelab::emulator {

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  instructions += other.instructions;
  requests += other.requests;
  thread_accesses += other.thread_accesses;
  bytes_requested += other.bytes_requested;
  sectors += other.sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  return *this;
}

MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
  global_loads += other.global_loads;
  global_stores += other.global_stores;
  global_atomics += other.global_atomics;
  shared_loads += other.shared_loads;
  shared_stores += other.shared_stores;
  shared_atomics += other.shared_atomics;
  constant_loads += other.constant_loads;
  local_loads += other.local_loads;
  local_stores += other.local_stores;
  return *this;
}

std::string MemoryPlace::text() const {
  const std::string number = std::to_string(index);
  if (!name.empty()) return name + '[' + number + ']';
  switch (space) {
    case MemorySpace::global:
      return "global memory + " + number;
    case MemorySpace::shared:
      return "shared memory + " + number;
    case MemorySpace::constant:
      return "constant memory + " + number;
    case MemorySpace::local:
      return "local memory";
    case MemorySpace::host:
      return "memory of the host";
  }
  return "";
}

}  // namespace tilelab::emulator
