#include "judge/checks/trace_json.h"

#include <cstring>
#include <filesystem>

#include "judge/checks/finding_message.h"
#include "judge/checks/source_text.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

using report::AccessKind;
using report::Accessor;
using report::Finding;
using report::LaneAccess;
using report::MemorySpace;
using report::SourcePlace;
using report::TracedArray;
using report::TraceStep;

std::string name_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::global:
      return "global";
    case MemorySpace::shared:
      return "shared";
    case MemorySpace::constant:
      return "constant";
    case MemorySpace::local:
      return "local";
    case MemorySpace::host:
      return "host";
  }
  return "unknown";
}

std::string name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::atomic:
      return "atomic";
  }
  return "unknown";
}

std::vector<unsigned> triple(const report::Index3& v) { return {v.x, v.y, v.z}; }

std::string hexadecimal(const LaneAccess& access, std::size_t bytes) {
  if (!access.has_value) return "";
  unsigned char memory[sizeof access.value];
  std::memcpy(memory, access.value, sizeof memory);
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < std::min(bytes, sizeof memory); ++i) {
    text += digits[memory[i] / 16];
    text += digits[memory[i] % 16];
  }
  return text;
}

JsonObject json(const TracedArray& array) {
  return JsonObject()
      .add("space", name_of(array.space))
      .add("name", array.name)
      .add("begin", array.begin)
      .add("bytes", array.bytes);
}

JsonObject json(const SourcePlace& place) {
  return JsonObject()
      .add("file", std::filesystem::path(place.file).filename().string())
      .add("line", place.line);
}

JsonObject json(const TraceStep& step) {
  JsonObject object = JsonObject().add("block", step.block).add("place", step.place);
  if (step.is_barrier) return object.add("barrier", 1);
  std::vector<std::uint32_t> lanes, arrays;
  std::vector<std::uint64_t> offsets;
  std::vector<std::string> values;
  for (const LaneAccess& access : step.lanes) {
    lanes.push_back(access.lane);
    arrays.push_back(access.array);
    offsets.push_back(access.offset);
    values.push_back(hexadecimal(access, step.bytes));
  }
  object.add("warp", step.warp)
      .add("kind", name_of(step.kind))
      .add("bytes", step.bytes)
      .add("sectors", step.sectors)
      .add("wavefronts", step.wavefronts)
      .add("ideal", step.ideal_wavefronts)
      .add("lanes", lanes)
      .add("arrays", arrays)
      .add("offsets", offsets);
  if (step.kind != AccessKind::load) object.add("values", values);
  return object;
}

JsonObject json(const Accessor& accessor) {
  return JsonObject()
      .add("line", accessor.place.line)
      .add("kind", name_of(accessor.kind))
      .add("block", triple(accessor.block))
      .add("thread", triple(accessor.thread));
}

}  // namespace

JsonObject trace_json(const report::Trace& trace) {
  return JsonObject()
      .add("complete", trace.is_complete ? 1 : 0)
      .add("arrays", objects_of(trace.arrays, json))
      .add("places", objects_of(trace.places, json))
      .add("steps", objects_of(trace.steps, json));
}

std::vector<JsonObject> findings_json(const std::vector<Finding>& findings) {
  std::vector<JsonObject> objects;
  for (const Finding& finding : findings) {
    std::vector<JsonObject> accesses;
    if (finding.has_first) accesses.push_back(json(finding.first));
    if (finding.has_second) accesses.push_back(json(finding.second));
    objects.push_back(JsonObject()
                          .add("kind", std::string(pattern_of(finding)))
                          .add("text", report::text_of(finding, show))
                          .add("note", finding.is_note() ? 1 : 0)
                          .add("space", name_of(finding.memory.space))
                          .add("name", finding.memory.name)
                          .add("index", finding.memory.index)
                          .add("bytes", finding.memory.bytes)
                          .add("accesses", accesses));
  }
  return objects;
}

}  // namespace tilelab::judge
