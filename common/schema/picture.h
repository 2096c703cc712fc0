#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/fields.h"
#include "schema/launch.h"

/// A call with every access of it, as `tilelab show` draws it.
namespace tilelab::schema {

/// How the elements of a call's large arrays are laid out in a picture: along `count` elements that
/// lie `stride` apart in memory.
struct Axis {
  std::string name;        ///< The name of the index.
  std::size_t count = 0;   ///< The number of elements.
  std::size_t stride = 0;  ///< The distance of two neighbors in memory, in elements.
};
TILELAB_FIELDS(Axis, name, count, stride)

/// An array that a call reads, with its elements as texts, component by component.
struct PicturedInput {
  std::string name;                 ///< The parameter's name.
  std::string type;                 ///< The type of an element.
  std::string number;               ///< The type of its numbers; "" if they differ.
  std::size_t components = 1;       ///< The numbers in an element.
  std::size_t element_bytes = 0;    ///< The size of an element.
  std::vector<std::string> values;  ///< What it holds; an output, after the call.
};
TILELAB_FIELDS(PicturedInput, name, type, number, components, element_bytes, values)

/// One that it writes.
struct PicturedOutput : PicturedInput {
  std::vector<std::string> before;     ///< What it held before, if the call reads it as well.
  bool returned = false;               ///< Whether it is no array, but what the function returned.
  std::vector<std::string> expected;   ///< What it should hold.
  std::vector<std::size_t> wrong;      ///< The elements that are wrong.
  std::vector<std::size_t> unwritten;  ///< Those of them that nobody wrote.
};
TILELAB_MORE_FIELDS(PicturedOutput, PicturedInput, before, returned, expected, wrong, unwritten)

/// One of the two accesses that a finding may be about.
struct FindingAccess {
  unsigned line = 0;
  std::string kind;
  Triple block{};
  Triple thread{};
};
TILELAB_FIELDS(FindingAccess, line, kind, block, thread)

/// What is wrong, or worth a look.
struct PicturedFinding {
  std::string kind;   ///< A pattern.
  std::string text;   ///< The message about it.
  bool note = false;  ///< Whether it is no mistake.
  std::string space;  ///< The memory that it is about.
  std::string name;   ///< The array there.
  std::int64_t index = 0;
  std::uint64_t bytes = 0;
  std::vector<FindingAccess> accesses;
};
TILELAB_FIELDS(PicturedFinding, kind, text, note, space, name, index, bytes, accesses)

/// Memory that steps name by its number in Trace::arrays.
struct TracedArray {
  std::string space;
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};
TILELAB_FIELDS(TracedArray, space, name, begin, bytes)

/// A line of a source.
struct SourceLine {
  std::string file;
  unsigned line = 0;
};
TILELAB_FIELDS(SourceLine, file, line)

/// What a warp does at once: a barrier, or what has a `kind`. That is a request (load, store,
/// atomic), asynchronous copies that it starts (copy, bulk), or batches of them that it closes
/// (commit) or has waited for (wait), which have no place in memory.
struct Step {
  std::uint64_t block = 0;
  std::uint64_t place = 0;
  std::optional<bool> barrier;
  std::optional<std::uint64_t> warp;
  std::optional<std::string> kind;
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> sectors;
  std::optional<std::uint64_t> wavefronts;
  std::optional<std::uint64_t> ideal;  ///< Wavefronts without conflicts.
  // An element for each active lane.
  std::optional<std::vector<std::uint32_t>> lanes;
  std::optional<std::vector<std::uint32_t>> arrays;
  std::optional<std::vector<std::uint64_t>> offsets;
  /// The stored bytes in hexadecimal digits, or "". A load has none.
  std::optional<std::vector<std::string>> values;
  /// The numbers of the batches that copies belong to.
  std::optional<std::vector<std::uint32_t>> batches;
  // Where copies read; an offset of -1 if that is nothing. `arrays` and `offsets` are where they
  // write.
  std::optional<std::vector<std::uint32_t>> from_arrays;
  std::optional<std::vector<std::int64_t>> from_offsets;
};
TILELAB_FIELDS(Step, block, place, barrier, warp, kind, bytes, sectors, wavefronts, ideal, lanes,
               arrays, offsets, values, batches, from_arrays, from_offsets)

/// The steps of a launch.
struct Trace {
  bool complete = true;            ///< Whether these are all steps.
  std::uint64_t blocks_every = 1;  ///< 2 if every second block is there: 0, 2, 4.
  std::uint32_t warps_every = 1;   ///< The same of the warps of a block.
  bool ends_early = false;         ///< Whether the last steps are missing.
  std::vector<TracedArray> arrays;
  std::vector<SourceLine> places;
  std::vector<Step> steps;
};
TILELAB_FIELDS(Trace, complete, blocks_every, warps_every, ends_early, arrays, places, steps)

/// A launch with all that was seen of it.
struct PicturedLaunch : Launch {
  std::vector<PicturedFinding> findings;
  Trace trace;
};
TILELAB_MORE_FIELDS(PicturedLaunch, Launch, findings, trace)

/// A call of a worker.
struct Picture {
  static constexpr std::string_view event = "picture";
  std::string worker;
  std::string call;
  std::string failure;  ///< How it ended too early; "" if it did not.
  std::vector<PicturedInput> inputs;
  std::vector<PicturedOutput> outputs;
  std::vector<Axis> axes;
  std::vector<PicturedFinding> findings;  ///< Those outside of launches.
  std::vector<PicturedLaunch> launches;
};
TILELAB_FIELDS(Picture, worker, call, failure, inputs, outputs, axes, findings, launches)

}  // namespace tilelab::schema
