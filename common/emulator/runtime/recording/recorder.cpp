#include "emulator/runtime/recording/recorder.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "emulator/runtime/link_time_address.h"

/// The executable's first byte in memory, and the one after its last.
extern "C" [[gnu::visibility("hidden")]] const char __executable_start[], _end[];

namespace tilelab::emulator {
namespace {

const char* environment(const char* variable) {
  const char* const said = std::getenv(variable);
  return said == nullptr ? "" : said;
}

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...) {
  char line[256];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return line;
}

/// A kernel's name as one word.
std::string without_spaces(std::string name) {
  std::erase(name, ' ');
  return name;
}

void add_argument(void* text, const void* argument, std::size_t bytes) {
  std::string& to = *static_cast<std::string*>(text);
  to += ',';
  for (std::size_t i = 0; i < bytes; ++i) {
    to += formatted("%02x", static_cast<const unsigned char*>(argument)[i]);
  }
}

}  // namespace

Recorder::Recorder()
    : multiprocessors_(std::max(1, std::atoi(environment("TILELAB_MULTIPROCESSORS")))) {
  std::istringstream words(environment("TILELAB_KERNELS"));
  for (std::string word; words >> word;) {
    std::uint64_t address = 0;
    Resources kernel;
    if (std::sscanf(word.c_str(), "%" SCNx64 ":%d:%zu", &address, &kernel.registers,
                    &kernel.static_shared_bytes) == 3) {
      kernels_[address] = kernel;
    }
  }
  text_ += formatted("variables %" PRIxPTR " %zu\n",
                     reinterpret_cast<std::uintptr_t>(__executable_start),
                     static_cast<std::size_t>(_end - __executable_start));
}

void Recorder::array(const void* address, std::size_t bytes, const char* contents) {
  text_ += formatted("array %" PRIxPTR " %zu %s\n", reinterpret_cast<std::uintptr_t>(address),
                     bytes, contents);
}

void Recorder::launch(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  const dim3 &grid = configuration.grid, &block = configuration.block;
  const std::uint64_t address = kernel.function ? link_time_address(kernel.function) : 0;
  text_ += formatted("launch %" PRIx64, address) + ' ' + without_spaces(kernel.name) +
           formatted(" %u %u %u %u %u %u %zu ", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                     configuration.dynamic_shared_bytes);
  std::string arguments;
  kernel.arguments.visit(add_argument, &arguments);
  text_ += (arguments.empty() ? "-" : arguments.substr(1)) + '\n';
}

void Recorder::host_reads() { text_ += "read\n"; }

Recorder::Resources Recorder::resources_of(const void* kernel) const {
  const auto found = kernels_.find(link_time_address(kernel));
  return found == kernels_.end() ? Resources{} : found->second;
}

}  // namespace tilelab::emulator
