#include "report/decode.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "schema/fields.h"

namespace tilelab::report {
namespace {

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  void read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;  // any other byte than 0 and 1 would not be a bool
      read(byte);
      value = byte != 0;
    } else if constexpr (schema::is_plain<T>) {
      if (rest_.size() < sizeof value) throw std::runtime_error("a report ends too early");
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_ = rest_.subspan(sizeof value);
    } else {
      schema::for_each_field<T>([&](const auto& field) { read(value.*field.member); });
    }
  }
  template <class T>
  void read(std::vector<T>& values) {
    std::uint64_t count = 0;
    read(count);
    // One by one, so that a forged count gets no more memory than what was sent for it.
    for (std::uint64_t i = 0; i < count; ++i) read(values.emplace_back());
  }
  void read(std::string& text) {
    std::vector<char> characters;
    read(characters);
    text.assign(characters.begin(), characters.end());
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace

Report decode(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Report report;
  reader.read(report);
  if (!reader.at_end()) throw std::runtime_error("a report goes on after its end");
  return report;
}

}  // namespace tilelab::report
