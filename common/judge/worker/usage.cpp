#include "judge/worker/usage.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tilelab::judge {
namespace {

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

std::vector<pid_t> children(pid_t pid) {
  std::ifstream file(folder_of(pid) + "/task/" + std::to_string(pid) + "/children");
  std::vector<pid_t> result;
  for (pid_t child; file >> child;) result.push_back(child);
  return result;
}

void add_memory_and_threads(Usage& usage, pid_t pid) {
  std::ifstream file(folder_of(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view name = std::string_view(line).substr(0, colon);
    // Reading untouched memory takes page tables only, and they can take more than a machine has.
    const bool is_memory = name == "VmRSS" || name == "VmSwap" || name == "VmPTE";
    if (!is_memory && name != "Threads") continue;
    const std::uint64_t number = std::strtoull(line.c_str() + colon + 1, nullptr, 10);
    if (is_memory) {
      usage.memory_bytes += number << 10;
    } else {
      usage.threads += number;
    }
  }
}

double processor_seconds(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The time that the main thread was ready to run and did not.
double queued_seconds(pid_t pid) {
  std::ifstream file(folder_of(pid) + "/schedstat");
  std::uint64_t ran = 0, queued = 0;
  return file >> ran >> queued ? 1e-9 * static_cast<double>(queued) : 0;
}

void add(Usage& usage, pid_t pid) {
  add_memory_and_threads(usage, pid);
  usage.processor_seconds += processor_seconds(pid);
  usage.queued_seconds += queued_seconds(pid);
  for (const pid_t child : children(pid)) add(usage, child);
}

}  // namespace

double Usage::own_seconds_since(const Usage& before) const {
  // A process that has ended takes its numbers along.
  const double queued = std::max(0.0, queued_seconds - before.queued_seconds);
  return std::chrono::duration<double>(at - before.at).count() - queued;
}

Usage usage_of(pid_t pid) {
  Usage usage;
  add(usage, pid);
  return usage;
}

bool machine_is_crowded() {
  std::ifstream file("/proc/loadavg");
  double average = 0;
  long running = 0;
  for (int i = 0; i < 3; ++i) file >> average;
  // One of those that run is the judge, which has just looked.
  return file >> running && running - 1 > sysconf(_SC_NPROCESSORS_ONLN);
}

}  // namespace tilelab::judge
