#include "report/encode.h"

#include <cstdint>
#include <string>
#include <utility>

#include "schema/fields.h"

namespace tilelab::report {
namespace {

class Writer {
 public:
  template <class T>
  void write(const T& value) {
    if constexpr (schema::is_plain<T>) {
      const auto* begin = reinterpret_cast<const std::byte*>(&value);
      bytes.insert(bytes.end(), begin, begin + sizeof value);
    } else {
      schema::for_each_field<T>([&](const auto& field) { write(value.*field.member); });
    }
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write_all(values);
  }
  void write(const std::string& text) { write_all(text); }

  std::vector<std::byte> bytes;

 private:
  template <class T>
  void write_all(const T& values) {
    write(std::uint64_t{values.size()});
    for (const auto& value : values) write(value);
  }
};

}  // namespace

std::vector<std::byte> encode(const Report& report) {
  Writer writer;
  writer.write(report);
  return std::move(writer.bytes);
}

}  // namespace tilelab::report
