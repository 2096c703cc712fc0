#include "report/texts.h"

namespace tilelab::report {
namespace {

std::string index_text(uint3 index) {
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

/// ", but tile has 32 elements", or "" if the size is not known.
std::string bounds_of(const MemoryPlace& place) {
  const std::string size = std::to_string(place.size);
  if (place.space == MemorySpace::shared && place.name.empty()) {
    return ", but the launch gives each block " + size +
           " bytes of dynamic shared memory (the third argument between <<< and >>>)";
  }
  if (place.name.empty() || place.size == 0) return "";
  return ", but " + place.name + " has " + size + (place.size == 1 ? " element" : " elements");
}

/// Writes sentences, with places as `show` writes them.
class Texts {
 public:
  explicit Texts(std::string (*show)(const SourcePlace&)) : show_(show) {}

  std::string sentence_of(const Finding& finding) const;

 private:
  /// " in diff.cu:12"
  std::string place_of(const Accessor& accessor) const {
    const std::string place = show_(accessor.place);
    return place.empty() ? "" : " in " + place;
  }
  std::string does(const Accessor& accessor, const std::string& what) const {
    return text_of(accessor, what) + place_of(accessor);
  }
  std::string race_text(const Finding& finding) const;
  std::string stream_text(const Finding& finding) const;
  std::string index_text_of(const Finding& finding) const;
  std::string shuffle_text(const Finding& finding) const;
  std::string barrier_text(const Finding& finding) const;
  std::string passed_text(const Finding& finding) const;
  std::string skipped_text(const Finding& finding) const;

  std::string (*show_)(const SourcePlace&);
};

std::string Texts::race_text(const Finding& finding) const {
  const std::string first = does(finding.first, text_of(finding.memory));
  if (!finding.sentence.empty()) {
    return first + ", and " + does(finding.second, "it") + ": " + finding.sentence + '.';
  }
  if (are_of_one_block(finding)) {
    return first + ", and thread " + index_text(finding.second.thread) + ' ' +
           verb_of(finding.second) + " it" + place_of(finding.second) +
           ", with no barrier between them.";
  }
  return first + ", and " + does(finding.second, "it") +
         ", but nothing orders the blocks of a launch.";
}

std::string Texts::stream_text(const Finding& finding) const {
  const std::string memory = text_of(finding.memory);
  const std::string first = finding.has_first ? does(finding.first, memory) + ", and " : "";
  const std::string second = finding.has_second
                                 ? does(finding.second, "it")
                                 : finding.sentence + (finding.has_first ? "it" : memory);
  return first + second + " in another stream, with no event or synchronization between the two.";
}

std::string Texts::index_text_of(const Finding& finding) const {
  const MemoryPlace& array = finding.memory;
  return thread_of(finding.first) + " uses index " + std::to_string(array.index) +
         " of a row or member with " + std::to_string(array.size) + " elements (" + array.name +
         ')' + place_of(finding.first) + '.';
}

std::string Texts::shuffle_text(const Finding& finding) const {
  return thread_of(finding.first) + " shuffles" + place_of(finding.first) +
         ", and gets the value of " + finding.memory.name + ": what it gets is undefined.";
}

std::string Texts::barrier_text(const Finding& finding) const {
  return thread_of(finding.first) + " waits at __syncthreads()" + place_of(finding.first) +
         ", but thread " + index_text(finding.second.thread) + " waits at a different one" +
         place_of(finding.second) + ": all threads of a block must reach the same one.";
}

std::string Texts::passed_text(const Finding& finding) const {
  return thread_of(finding.first) + " goes on" + place_of(finding.first) +
         " without the __syncthreads()" + place_of(finding.second) +
         ", at which other threads of its warp wait: all threads of a block must reach it.";
}

std::string Texts::skipped_text(const Finding& finding) const {
  return std::to_string(finding.memory.index) + " of " + std::to_string(finding.memory.bytes) +
         " threads of block " + index_text(finding.first.block) + " skip the __syncthreads()" +
         place_of(finding.first) +
         " and end. Today's GPUs do not wait for them, but CUDA leaves it undefined: let every "
         "thread "
         "of the block reach the barrier.";
}

std::string Texts::sentence_of(const Finding& finding) const {
  const std::string memory = text_of(finding.memory);
  switch (finding.kind) {
    case FindingKind::data_race:
      return "Data race: " + race_text(finding);
    case FindingKind::same_value_data_race:
      return "Note: " + race_text(finding) + " Both store the same value.";
    case FindingKind::uninitialized_read:
      return "Uninitialized read: " + does(finding.first, memory) +
             ", before anything was written there.";
    case FindingKind::out_of_bounds:
      return "Out of bounds: " + does(finding.first, memory) + bounds_of(finding.memory) + '.';
    case FindingKind::index_out_of_bounds:
      return "Out of bounds: " + index_text_of(finding);
    case FindingKind::use_after_free:
      return "Use after free: " + does(finding.first, memory) + ", after it was freed.";
    case FindingKind::misaligned:
      return "Misaligned: " + does(finding.first, memory) + ": the address must be a multiple of " +
             std::to_string(finding.memory.bytes) + '.';
    case FindingKind::host_pointer:
      return "Host pointer: " + does(finding.first, memory) +
             ": give the kernel a pointer from cudaMalloc().";
    case FindingKind::constant_write:
      return "Write to constant memory: " + does(finding.first, memory) +
             ". Kernels can only read it.";
    case FindingKind::forbidden_write:
      return "Forbidden write: host code writes memory that does not belong to it" +
             place_of(finding.first) + '.';
    case FindingKind::divergent_barrier:
      return "Divergent barrier: " + barrier_text(finding);
    case FindingKind::passed_barrier:
      return "Divergent barrier: " + passed_text(finding);
    case FindingKind::skipped_barrier:
      return "Warning: " + skipped_text(finding);
    case FindingKind::undefined_shuffle:
      return "Undefined shuffle: " + shuffle_text(finding);
    case FindingKind::stream_race:
      return "Unordered streams: " + stream_text(finding);
    case FindingKind::absent_block:
      return "Absent block: " + does(finding.first, memory) + ", but " + finding.sentence + '.';
    case FindingKind::deadlock:
      return "Deadlock: " + finding.sentence + '.';
    case FindingKind::failed_launch:
      return "Failed launch of " + finding.kernel + place_of(finding.first) + ": " +
             finding.sentence + '.';
    case FindingKind::fault:
      return "Fault: " + finding.sentence + '.';
    case FindingKind::leak:
      return "Memory leak: " + std::to_string(finding.memory.bytes) +
             " bytes of device memory were never freed.";
  }
  return "";
}

}  // namespace

std::string thread_of(const Accessor& accessor) {
  return "block " + index_text(accessor.block) + ", thread " + index_text(accessor.thread);
}

std::string text_of(const Accessor& accessor, const std::string& what) {
  return thread_of(accessor) + ' ' + verb_of(accessor) + ' ' + what;
}

bool are_of_one_block(const Finding& finding) {
  return is_same(finding.first.block, finding.second.block);
}

std::string text_of(const MemoryPlace& place) {
  const std::string number = std::to_string(place.index);
  if (!place.name.empty()) return place.name + '[' + number + ']';
  switch (place.space) {
    case MemorySpace::global:
      return place.index < 0 ? "through a null pointer" : "global memory, in no array of the call";
    case MemorySpace::shared:
      return "shared memory + " + number;
    case MemorySpace::constant:
      return "constant memory + " + number;
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

std::string text_of(const Finding& finding, std::string (*show)(const SourcePlace&)) {
  const std::string times =
      finding.count > 1 ? " (seen " + std::to_string(finding.count) + " times)" : "";
  return Texts(show).sentence_of(finding) + times;
}

}  // namespace tilelab::report
