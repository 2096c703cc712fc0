#include "program/launch_recorder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/runtime/executable_segments.h"
#include "emulator/runtime/link_time_address.h"
#include "emulator/runtime/memory/device_memory.h"
#include "schema/hexadecimal.h"
#include "schema/json.h"

namespace tilelab::program {
namespace {

using emulator::DeviceMemory;

// A program that launches more different ones is not looked at to its end.
constexpr std::size_t most_launches = 64;

schema::Triple triple_of(const dim3& it) { return {it.x, it.y, it.z}; }

void add_argument(void* arguments, const emulator::Argument& argument) {
  static_cast<std::vector<std::string>*>(arguments)->push_back(
      schema::digits_of(argument.value, argument.bytes));
}

/// A hash of a chunk, 0 if it holds nothing but zeros.
std::uint64_t hash_of(const std::byte* chunk) {
  std::uint64_t any = 0, hash = 1;
  for (std::size_t at = 0; at < schema::chunk_bytes; at += sizeof any) {
    std::uint64_t word = 0;
    std::memcpy(&word, chunk + at, sizeof word);
    any |= word;
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  }
  return any == 0 ? 0 : hash;
}

}  // namespace

LaunchRecorder::LaunchRecorder(const std::string& folder, std::size_t most_bytes)
    : launches_(std::fopen((folder + "/launches").c_str(), "w")),
      memory_(std::fopen((folder + "/memory").c_str(), "w")),
      most_chunks_(most_bytes / schema::chunk_bytes) {
  write(schema::Begin{});
  write(schema::Variables{emulator::load_bias(), 0});
}

template <class Event>
void LaunchRecorder::write(const Event& event) {
  if (launches_ == nullptr) return;
  const std::string text = schema::to_json(event) + '\n';
  std::fwrite(text.data(), 1, text.size(), launches_);
}

void LaunchRecorder::launch_begins(const emulator::KernelCall& kernel,
                                   const emulator::LaunchConfiguration& configuration) {
  std::vector<std::string> arguments;
  kernel.arguments.visit(add_argument, &arguments);
  const Shape shape(kernel.function, kernel.name, triple_of(configuration.grid),
                    triple_of(configuration.block), configuration.dynamic_shared_bytes);
  auto found = seen_.find(shape);
  if (found == seen_.end()) {
    if (seen_.size() == most_launches) {
      ++left_out_;
      return;
    }
    found = seen_.emplace(shape, Seen{seen_.size(), arguments}).first;
    write_memory();
    write(schema::RecordedLaunch{
        .function = kernel.function ? emulator::link_time_address(kernel.function) : 0,
        .kernel = kernel.name,
        .grid = triple_of(configuration.grid),
        .block = triple_of(configuration.block),
        .dynamic_shared_bytes = configuration.dynamic_shared_bytes,
        .arguments = arguments,
    });
  }
  ++found->second.launches;
  found->second.differ |= found->second.arguments != arguments;
}

void LaunchRecorder::write_memory() {
  const DeviceMemory& memory = DeviceMemory::instance();
  // The executable's variables are in what it can write.
  emulator::for_each_executable_segment([&](const auto& segment, std::uintptr_t begin) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) return;
    write_image(reinterpret_cast<const void*>(begin), segment.p_memsz, "variables");
  });
  memory.for_each_block([&](const void* begin, std::size_t bytes) {
    write_image(begin, bytes,
                memory.is_managed(begin)    ? "managed"
                : memory.is_for_host(begin) ? "host"
                                            : "device");
  });
}

void LaunchRecorder::write_image(const void* begin, std::size_t bytes, const char* kind) {
  schema::Image made{reinterpret_cast<std::uintptr_t>(begin), bytes, kind, {}};
  const auto* const first = static_cast<const std::byte*>(begin);
  for (std::size_t at = 0; at < bytes && chunks_ < most_chunks_; at += schema::chunk_bytes) {
    made.chunks.push_back(chunk_of(first + at, std::min(schema::chunk_bytes, bytes - at)));
  }
  if (made.chunks.size() * schema::chunk_bytes < bytes) made.chunks.clear();
  write(made);
}

std::uint64_t LaunchRecorder::chunk_of(const std::byte* begin, std::size_t bytes) {
  alignas(std::uint64_t) static std::array<std::byte, schema::chunk_bytes> chunk;
  std::memcpy(chunk.data(), begin, bytes);
  std::fill(chunk.begin() + static_cast<std::ptrdiff_t>(bytes), chunk.end(), std::byte{0});
  const std::uint64_t hash = hash_of(chunk.data());
  if (hash == 0) return 0;
  const auto [found, is_new] = known_.try_emplace(hash, chunks_ + 1);
  if (is_new) {
    ++chunks_;
    if (memory_ != nullptr) std::fwrite(chunk.data(), 1, chunk.size(), memory_);
  }
  return found->second;
}

void LaunchRecorder::end() {
  for (const auto& [shape, it] : seen_) write(schema::Repeats{it.number, it.launches, it.differ});
  if (left_out_ > 0) write(schema::LeftOut{left_out_});
  write(schema::End{});
  for (std::FILE* const file : {launches_, memory_}) {
    if (file != nullptr) std::fclose(file);
  }
  launches_ = memory_ = nullptr;
}

}  // namespace tilelab::program
