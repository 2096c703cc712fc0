#include "report/report_bytes.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tilelab {
namespace {

using namespace emulator;

// One list of members per struct, for both directions.

template <class Archive>
void members(Archive& archive, uint3& v) {
  archive(v.x, v.y, v.z);
}
template <class Archive>
void members(Archive& archive, dim3& v) {
  archive(v.x, v.y, v.z);
}
template <class Archive>
void members(Archive& archive, SourcePlace& v) {
  archive(v.code, v.file, v.line);
}
template <class Archive>
void members(Archive& archive, AccessCounts& v) {
  archive(v.instructions, v.requests, v.thread_accesses, v.bytes_requested, v.sectors, v.wavefronts,
          v.ideal_wavefronts);
}
template <class Archive>
void members(Archive& archive, MemoryCounts& v) {
  for (const CountedAccess& access : counted_accesses) archive(v.*access.counts);
}
template <class Archive>
void members(Archive& archive, LineCounts& v) {
  archive(v.place, v.counts);
}
template <class Archive>
void members(Archive& archive, MemoryPlace& v) {
  archive(v.space, v.name, v.index, v.bytes);
}
template <class Archive>
void members(Archive& archive, Accessor& v) {
  archive(v.place, v.kind, v.block, v.thread);
}
template <class Archive>
void members(Archive& archive, Finding& v) {
  archive(v.kind, v.kernel, v.memory, v.has_first, v.has_second, v.first, v.second, v.count,
          v.sentence);
}
template <class Archive>
void members(Archive& archive, LaunchReport& v) {
  archive(v.kernel, v.grid, v.block, v.static_shared_bytes, v.dynamic_shared_bytes, v.blocks,
          v.observed_blocks, v.totals, v.distinct_global_bytes_loaded,
          v.distinct_global_bytes_stored, v.lines, v.findings);
}
template <class Archive>
void members(Archive& archive, Report& v) {
  archive(v.launches, v.findings, v.live_allocations);
}

template <class T>
constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (write(values), ...);
  }

  std::vector<std::byte> bytes;

 private:
  template <class T>
  void write(T& value) {
    if constexpr (is_plain<T>) {
      const auto* begin = reinterpret_cast<const std::byte*>(&value);
      bytes.insert(bytes.end(), begin, begin + sizeof value);
    } else {
      members(*this, value);
    }
  }
  template <class T>
  void write_all(T& values) {
    std::uint64_t count = values.size();
    write(count);
    for (auto& value : values) write(value);
  }
  template <class T>
  void write(std::vector<T>& values) {
    write_all(values);
  }
  void write(std::string& text) { write_all(text); }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }

  bool at_end() const { return rest_.empty(); }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;  // any other byte than 0 and 1 would not be a bool
      read(byte);
      value = byte != 0;
    } else if constexpr (is_plain<T>) {
      if (rest_.size() < sizeof value) throw std::runtime_error("a report ends too early");
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_ = rest_.subspan(sizeof value);
    } else {
      members(*this, value);
    }
  }
  template <class T>
  void read_all(T& values) {
    std::uint64_t count = 0;
    read(count);
    // One by one, so that a forged count gets no more memory than what was sent for it.
    for (std::uint64_t i = 0; i < count; ++i) read(values.emplace_back());
  }
  template <class T>
  void read(std::vector<T>& values) {
    read_all(values);
  }
  void read(std::string& text) {
    std::vector<char> characters;
    read_all(characters);
    text.assign(characters.begin(), characters.end());
  }

  std::span<const std::byte> rest_;
};

}  // namespace

std::vector<std::byte> to_bytes(const Report& report) {
  Writer writer;
  Report copy = report;  // the lists of members serve the reader as well, so they are not const
  members(writer, copy);
  return std::move(writer.bytes);
}

Report from_bytes(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Report report;
  members(reader, report);
  if (!reader.at_end()) throw std::runtime_error("a report goes on after its end");
  return report;
}

}  // namespace tilelab
