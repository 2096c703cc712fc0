#include "report/texts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace tilelab::report {
namespace {

std::string index_text(const Index3& index) {
  return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
         std::to_string(index.z) + ')';
}

const char* verb_of(const Accessor& accessor) {
  switch (accessor.kind) {
    case AccessKind::load:
      return "reads";
    case AccessKind::store:
      return "writes";
    case AccessKind::atomic:
      return "atomically updates";
  }
  return "";
}

/// "[2][0]": element 66 of a tile with 32 x 33 elements.
std::string indexes_of(const MemoryPlace& place) {
  std::string text;
  auto rest = static_cast<std::uint64_t>(place.index);
  for (std::size_t i = place.shape.size(); i-- > 1; rest /= place.shape[i]) {
    text.insert(0, '[' + std::to_string(rest % place.shape[i]) + ']');
  }
  return '[' + std::to_string(rest) + ']' + text;
}

/// "32", or "32 x 33" for an array of two dimensions.
std::string size_of(const MemoryPlace& place) {
  if (place.shape.size() < 2) return std::to_string(place.size);
  std::string text;
  for (const std::uint64_t length : place.shape) {
    text += (text.empty() ? "" : " x ") + std::to_string(length);
  }
  return text;
}

/// ", but tile has 32 elements", or bytes if they are too few for one, or "" if the size is not
/// known.
std::string bounds_of(const Finding& finding) {
  const MemoryPlace& place = finding.memory;
  if (place.space == MemorySpace::shared && (place.name.empty() || place.is_dynamic)) {
    return ", but the launch gives each block " + std::to_string(place.size) +
           " bytes of dynamic shared memory (the third argument between <<< and >>>)";
  }
  if (place.name.empty()) return "";
  if (place.size == 0) {
    if (place.room == 0) return "";
    return ", but " + place.name + " has " + std::to_string(place.room) +
           (place.room == 1 ? " byte" : " bytes");
  }
  const std::string elements = size_of(place) + (place.size == 1 ? " element" : " elements");
  if (place.index >= 0 && static_cast<std::uint64_t>(place.index) < place.size) {
    return ", but the " + std::to_string(place.bytes) + " bytes from there on reach past the " +
           elements + " of " + place.name;
  }
  return ", but " + place.name + " has " + elements +
         (is_of_larger_block(finding) ? ", and the block is larger" : "");
}

using Show = std::string (*)(const SourcePlace&);

std::string nowhere(const SourcePlace&) { return ""; }

/// " in diff.cu:12"
std::string in(const Accessor& accessor, Show show) {
  const std::string place = show(accessor.place);
  return place.empty() ? "" : " in " + place;
}

std::string thread_of(const Accessor& accessor) {
  return thread_text(accessor.block, accessor.thread);
}

/// "block (0,0,0), thread (1,0,0) reads tile[0]"
std::string act_of(const Accessor& accessor, const std::string& memory) {
  return thread_of(accessor) + ' ' + verb_of(accessor) + ' ' + memory;
}

bool are_of_one_block(const Finding& finding) {
  return finding.first.block == finding.second.block;
}

std::string race_text(const Finding& finding, Show show) {
  const Accessor &first = finding.first, &second = finding.second;
  const std::string begin = act_of(first, text_of(finding.memory)) + in(first, show) + ", ";
  const std::string other = act_of(second, "it") + in(second, show);
  if (!finding.sentence.empty()) return begin + "and " + other + ": " + finding.sentence;
  if (!are_of_one_block(finding)) {
    return begin + "and " + other + ", but nothing orders the blocks of a launch";
  }
  return begin + "and thread " + index_text(second.thread) + ' ' + verb_of(second) + " it" +
         in(second, show) + ", with no barrier between them";
}

bool are_at_one_line(const Finding& finding) {
  const SourcePlace &first = finding.first.place, &second = finding.second.place;
  if (first.file.empty()) return first.code != 0 && first.code == second.code;
  return first.file == second.file && first.line == second.line;
}

bool has_one(const Finding& finding, AccessKind kind) {
  return (finding.first.kind == kind) != (finding.second.kind == kind);
}

/// "let all threads of the block meet at __syncthreads() between the two"
/// @param where  is where they are to meet
std::string barrier_advice(const Finding& finding, const std::string& where) {
  return finding.in_warp ? "let the lanes of the warp meet at __syncwarp() between " + where
                         : "let all threads of the block meet at __syncthreads() between " + where;
}

/// What helps a plain access next to an atomic operation.
std::string atomic_advice(const Finding& finding) {
  const std::string atomically = has_one(finding, AccessKind::load)
                                     ? "read it atomically, too, as atomicAdd() of 0 does"
                                     : "write it atomically, too, as atomicExch() does";
  if (!are_of_one_block(finding)) return atomically + ", or use a second launch";
  if (are_at_one_line(finding)) return atomically;
  return barrier_advice(finding, "the two") + " or, if they cannot wait there, " + atomically;
}

/// What helps threads that run the same statement.
std::string statement_advice(const Finding& finding) {
  if (!has_one(finding, AccessKind::load)) {
    return "use an atomic function, or let only one thread write it; a barrier helps only between "
           "rounds of a loop";
  }
  return finding.has_many_writers
             ? "both threads update it, so use an atomic function such as atomicAdd()"
             : "split the statement, and " + barrier_advice(finding, "its read and its write");
}

/// What helps threads of different blocks.
std::string blocks_advice(const Finding& finding) {
  return are_at_one_line(finding) && finding.has_many_writers
             ? "use an atomic function such as atomicAdd(), or let only one thread write it"
             : "use an atomic function, or a fence and an atomic flag, or a second launch";
}

/// What orders the two threads of a race whose sentence does not say it.
std::string race_advice(const Finding& finding) {
  if (!finding.sentence.empty()) return "";
  if (has_one(finding, AccessKind::atomic)) return atomic_advice(finding);
  if (!are_of_one_block(finding)) return blocks_advice(finding);
  const bool has_read = has_one(finding, AccessKind::load);
  if (are_at_one_line(finding) && (has_read || finding.has_many_writers)) {
    return statement_advice(finding);
  }
  const std::string advice = barrier_advice(finding, "the two");
  if (has_read && finding.has_many_writers) {
    return advice +
           " or, if what a thread writes depends on what it read, use an atomic function such as "
           "atomicMax()";
  }
  return advice + (finding.in_warp ? ", or exchange the value by a shuffle" : "");
}

std::string race_in_short(const Finding& finding) {
  const std::string memory = text_of(finding.memory);
  if (!finding.sentence.empty()) return " at " + memory + ": " + finding.sentence;
  return ": two threads use " + memory + ", at least one of them writes it, and " +
         (are_of_one_block(finding) ? "no barrier separates them"
                                    : "nothing orders the blocks of a launch");
}

std::string streams_text(const Finding& finding, Show show) {
  const std::string memory = text_of(finding.memory);
  const std::string first =
      finding.has_first ? act_of(finding.first, memory) + in(finding.first, show) + ", and " : "";
  if (finding.has_second) return first + act_of(finding.second, "it") + in(finding.second, show);
  return first + finding.sentence + (finding.has_first ? "it" : memory);
}

/// ". The kernels are launched in a.cu:8 and in a.cu:9", or ". The calls are in ..." with copies.
std::string launches_text(const Finding& finding, Show show) {
  std::string text;
  for (const SourcePlace& place : finding.launches) {
    const std::string shown = show(place);
    if (!shown.empty()) text += (text.empty() ? " in " : " and in ") + shown;
  }
  if (text.empty()) return "";
  const bool is_one = finding.launches.size() == 1;
  if (!finding.callers.empty()) return (is_one ? ". The call is" : ". The calls are") + text;
  return (is_one ? ". The kernel is launched" : ". The kernels are launched") + text;
}

/// "block (0,0,0), thread (1,0,0) writes in[0]", or "cudaMemset() writes in[0]"
std::string write_text(const Finding& finding) {
  const std::string memory = text_of(finding.memory);
  return finding.sentence.empty() ? act_of(finding.first, memory)
                                  : finding.sentence + " writes " + memory;
}

/// What host code has not waited for.
std::string not_waited_for(const Finding& finding, Show show) {
  if (finding.sentence.empty()) {
    return "the kernel: " + act_of(finding.second, "it") + in(finding.second, show);
  }
  // "cudaMemcpyAsync(), which reads it": the place of the call comes after its name.
  const std::size_t end_of_name = finding.sentence.find(',');
  return finding.sentence.substr(0, end_of_name) + in(finding.second, show) +
         (end_of_name == std::string::npos ? "" : finding.sentence.substr(end_of_name));
}

/// "1 byte", "8 bytes"
std::string number_of(std::uint64_t number, const std::string& thing) {
  return std::to_string(number) + ' ' + thing + (number == 1 ? "" : "s");
}

/// "8 arrays of 64 bytes (d_x), allocated in a.cu:12, were never freed"
std::string leak_text(const Finding& finding, Show show) {
  const MemoryPlace& memory = finding.memory;
  const bool is_one = finding.count == 1;
  const std::string bytes = number_of(memory.bytes > 0 ? memory.bytes : memory.size, "byte");
  const std::string what = is_one ? bytes + " of " + finding.sentence
                                  : number_of(finding.count, "array") + " of " + bytes +
                                        (memory.bytes > 0 ? "" : " in all");
  const std::string place = in(finding.first, show);
  return what + (memory.name.empty() ? "" : " (" + memory.name + ')') +
         (place.empty() ? "" : ", allocated" + place + ',') +
         (is_one && memory.size == 1 ? " was" : " were") + " never freed";
}

/// What a name in braces stands for.
struct Field {
  std::string_view name;
  std::string (*text)(const Finding& finding, Show show);
};

/// What to do about memory that is freed before a stream is done with it.
std::string free_advice(const Finding& finding) {
  return finding.memory.space == MemorySpace::host
             ? "call cudaStreamSynchronize() before cudaFreeHost(), or wait for an event"
             : "cudaFree() does not wait for what uses memory from cudaMallocAsync(): wait for the "
               "stream first, or call cudaFreeAsync()";
}

constexpr Field fields[] = {
    {"act", [](const Finding& it, Show) { return act_of(it.first, text_of(it.memory)); }},
    {"array", [](const Finding& it, Show) { return it.memory.name; }},
    {"block", [](const Finding& it, Show) { return index_text(it.first.block); }},
    {"bounds", [](const Finding& it, Show) { return bounds_of(it); }},
    {"bytes", [](const Finding& it, Show) { return std::to_string(it.memory.bytes); }},
    // The sentence of a misused barrier says where that is.
    {"called_here",
     [](const Finding& it, Show show) { return it.callers.empty() ? "" : in(it.first, show); }},
    {"free_advice", [](const Finding& it, Show) { return free_advice(it); }},
    {"here", [](const Finding& it, Show show) { return in(it.first, show); }},
    {"index", [](const Finding& it, Show) { return std::to_string(it.memory.index); }},
    {"kernel", [](const Finding& it, Show) { return it.kernel; }},
    {"launches", launches_text},
    {"leak", leak_text},
    {"memory", [](const Finding& it, Show) { return text_of(it.memory); }},
    {"not_waited_for", not_waited_for},
    {"other", [](const Finding& it, Show) { return index_text(it.second.thread); }},
    {"race", race_text},
    {"race_advice", [](const Finding& it, Show) { return race_advice(it); }},
    {"race_in_short", [](const Finding& it, Show) { return race_in_short(it); }},
    {"sentence", [](const Finding& it, Show) { return it.sentence; }},
    {"size", [](const Finding& it, Show) { return std::to_string(it.memory.size); }},
    {"streams", streams_text},
    {"there", [](const Finding& it, Show show) { return in(it.second, show); }},
    {"thread", [](const Finding& it, Show) { return thread_of(it.first); }},
    // The thread or, in a sentence, the call that uses what host code has not waited for.
    {"user",
     [](const Finding& it, Show) {
       return it.sentence.empty() ? act_of(it.first, text_of(it.memory)) : it.sentence;
     }},
    {"verb", [](const Finding& it, Show) { return std::string(verb_of(it.first)); }},
    {"write", [](const Finding& it, Show) { return write_text(it); }},
};

/// The words with the finding's texts in place of the names in braces.
/// @param show  writes a place in the source
std::string fill(std::string_view words, const Finding& finding, Show show) {
  std::string text;
  for (;;) {
    const std::size_t open = words.find('{');
    text += words.substr(0, open);
    if (open == std::string_view::npos) return text;
    const std::size_t close = words.find('}', open);
    const std::string_view name = words.substr(open + 1, close - open - 1);
    const auto* const field = std::find_if(std::begin(fields), std::end(fields),
                                           [&](const Field& one) { return one.name == name; });
    text += field != std::end(fields) ? field->text(finding, show) : '{' + std::string(name) + '}';
    words.remove_prefix(close + 1);
  }
}

std::string sentence_of(const Finding& finding, Show show) {
  const KindOfFinding& row = row_of(finding.kind);
  const std::string advice = fill(row.advice, finding, show);
  return fill(row.name, finding, show) + ": " + fill(row.words, finding, show) +
         (advice.empty() ? "" : ": " + advice) + '.';
}

LineNote note(const LineWords& line, const Finding& finding) {
  return {fill(line.word, finding, nowhere), fill(line.says, finding, nowhere)};
}

}  // namespace

std::string thread_text(const Index3& block, const Index3& thread) {
  return "block " + index_text(block) + ", thread " + index_text(thread);
}

std::string text_of(const MemoryPlace& place) {
  const std::string number = std::to_string(place.index);
  if (place.shape.size() > 1 && place.index >= 0) return place.name + indexes_of(place);
  if (!place.name.empty()) return place.name + '[' + number + ']';
  switch (place.space) {
    case MemorySpace::global:
      return place.index < 0 ? "through a null pointer" : "global memory, in no array of the call";
    case MemorySpace::shared:
      return "byte " + number + " of shared memory";
    case MemorySpace::constant:
      return "byte " + number + " of constant memory";
    case MemorySpace::local:
      return "local memory";
    case MemorySpace::host:
      return "host memory";
  }
  return "";
}

std::string file_and_line(const SourcePlace& place) {
  if (place.file.empty()) return "";
  const std::size_t slash = place.file.rfind('/');
  const std::string name = slash == std::string::npos ? place.file : place.file.substr(slash + 1);
  return name + ':' + std::to_string(place.line);
}

std::string text_of(const Finding& finding, Show show) {
  // A leak says how many arrays it is about.
  const bool has_times = finding.count > 1 && finding.kind != FindingKind::leak;
  const std::string times = has_times ? " (seen " + std::to_string(finding.count) + " times)" : "";
  return sentence_of(finding, show) + times;
}

std::string summary_of(const Finding& finding) {
  const KindOfFinding& row = row_of(finding.kind);
  const SpecialPlace& special = row.special;
  if (special.summary != nullptr && special.holds(finding.memory)) return special.summary;
  return row.summary != nullptr ? fill(row.summary, finding, nowhere)
                                : sentence_of(finding, nowhere);
}

bool is_of_larger_block(const Finding& finding) {
  const MemoryPlace& place = finding.memory;
  const Index3& thread = finding.first.thread;
  if (place.space != MemorySpace::shared || place.size == 0) return false;
  if (place.shape.size() == 2 && !place.is_dynamic)
    return thread.x >= place.shape[1] || thread.y >= place.shape[0];
  return thread.y == 0 && thread.z == 0 && thread.x >= place.size;
}

LineNote first_note(const Finding& finding) { return note(row_of(finding.kind).first, finding); }

LineNote second_note(const Finding& finding) {
  Finding as_first = finding;
  as_first.first = finding.second;
  return note(row_of(finding.kind).second, as_first);
}

}  // namespace tilelab::report
