#include "judge/estimated/estimated_call.h"

#include <fstream>
#include <stdexcept>

#include "schema/hexadecimal.h"
#include "schema/json_reader.h"

namespace tilelab::judge {
namespace {

/// Adds each event to a call.
struct Reader {
  void operator()(const schema::Begin&) {}
  void operator()(const schema::EstimatedCall& event) { call.function = event.function; }
  void operator()(const schema::Salt& salt) { call.salt = salt.value; }
  void operator()(const schema::Array& array) { call.arguments.emplace_back(array); }
  void operator()(const schema::Scalar& scalar) { call.arguments.emplace_back(scalar); }
  void operator()(const schema::Stored& stored) {
    call.stored.push_back({stored.address, schema::bytes_of(stored.bytes)});
  }
  void operator()(const schema::Left& left) {
    call.left.push_back({left.address, schema::bytes_of(left.bytes)});
  }
  void operator()(const schema::End&) { has_ended = true; }

  EstimatedCall call;
  bool has_ended = false;
};

}  // namespace

EstimatedCall read_estimated_call(const std::filesystem::path& file) {
  Reader reader;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::visit(reader, schema::event_in<schema::StoredResults>(line));
  }
  if (!reader.has_ended) throw std::runtime_error(file.string() + " is no call with its results");
  return std::move(reader.call);
}

}  // namespace tilelab::judge
