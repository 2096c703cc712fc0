#include "report/encode.h"

#include <cstdint>
#include <string>
#include <utility>

#include "report/members.h"

namespace tilelab::report {
namespace {

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

}  // namespace

std::vector<std::byte> encode(const Report& report) {
  Writer writer;
  Report copy = report;  // the lists of members are not const
  members(writer, copy);
  return std::move(writer.bytes);
}

}  // namespace tilelab::report
