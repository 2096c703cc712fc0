#include "emulator/runtime/recording/recorder.h"

#include <link.h>

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "emulator/runtime/link_time_address.h"

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

/// The executable's place in memory.
struct Image {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

Image image() {
  Image found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        auto& [begin, end] = *static_cast<Image*>(result);
        begin = object->dlpi_addr;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          end = std::max<std::uintptr_t>(end, begin + segment.p_vaddr + segment.p_memsz);
        }
        return 1;  // the executable is the first object
      },
      &found);
  return found;
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
  const Image variables = image();
  text_ +=
      formatted("variables %" PRIxPTR " %zu\n", variables.begin, variables.end - variables.begin);
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
