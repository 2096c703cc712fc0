#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emulator/runtime/launch_listener.h"
#include "schema/launch.h"
#include "schema/recording.h"

namespace tilelab::program {

/// Writes down what a program launches while it runs: for a model of a GPU, which tells how long
/// that would take there (schema/recording.h). Launches of a kernel in one shape are written down
/// once, with the memory that the first of them found.
class LaunchRecorder : public emulator::LaunchListener {
 public:
  /// @param folder  gets the files "launches" and "memory"
  LaunchRecorder(const std::string& folder, std::size_t most_bytes);

  void launch_begins(const emulator::KernelCall& kernel,
                     const emulator::LaunchConfiguration& configuration) override;
  /// Completes the files.
  void end();

 private:
  /// The kernel, its name, the grid, the block and the bytes of dynamic shared memory.
  using Shape = std::tuple<const void*, std::string, schema::Triple, schema::Triple, std::size_t>;
  struct Seen {
    std::uint64_t number;
    std::vector<std::string> arguments;
    std::uint64_t launches = 0;
    bool differ = false;
  };

  template <class Event>
  void write(const Event& event);
  void write_memory();
  void write_image(const void* begin, std::size_t bytes, const char* kind);
  /// The number of a chunk with these bytes, the last of a block perhaps fewer.
  std::uint64_t chunk_of(const std::byte* begin, std::size_t bytes);

  std::FILE* launches_;
  std::FILE* memory_;
  std::uint64_t most_chunks_;
  std::uint64_t chunks_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> known_;  // chunks by what they hold
  std::map<Shape, Seen> seen_;
  std::uint64_t left_out_ = 0;
};

}  // namespace tilelab::program
