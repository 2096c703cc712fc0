#include "emulator/observer/memory/provenance.h"

#include <algorithm>

#include "contract/host_reads.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/memory/submission.h"

namespace tilelab::emulator {

Provenance::Provenance()
    : by_kernel_(space_base::local), by_host_(space_base::local), by_copy_(space_base::local) {}

void Provenance::forget(std::uint32_t begin, std::size_t bytes) {
  by_kernel_.remove_range(begin, bytes);
  by_host_.remove_range(begin, bytes);
  by_copy_.remove_range(begin, bytes);
}

void Provenance::memory_allocated(const void* begin, std::size_t bytes) {
  forget(compress_arena(begin), bytes);
}

void Provenance::memory_written(const void* begin, std::size_t bytes) {
  const auto address = compress_device(begin, bytes);
  if (!address) return;
  is_calling_ ? host_wrote(*address, bytes) : forget(*address, bytes);
}

void Provenance::memory_copied(const void* to, const void* from, std::size_t bytes) {
  memory_written(to, bytes);
  const auto target = compress_device(to, bytes);
  const auto source = compress_device(from, bytes);
  if (target && source && is_calling_) copied(*target, *source, bytes);
}

void Provenance::host_wrote(std::uint32_t begin, std::size_t bytes) {
  forget(begin, bytes);
  by_host_.add_range(begin, bytes);
}

void Provenance::copied(std::uint32_t to, std::uint32_t from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto source = static_cast<std::uint32_t>(from + i);
    const auto destination = static_cast<std::uint32_t>(to + i);
    const bool is_by_kernel = by_kernel_.contains(source, 1);
    const bool is_by_host = !is_by_kernel && by_host_.contains(source, 1);
    forget(destination, 1);
    (is_by_kernel ? by_kernel_ : is_by_host ? by_host_ : by_copy_).add(destination, 1);
  }
}

Provenance::Bytes Provenance::in(const ByteSet& set, const ByteSet* but_not, std::uint32_t begin,
                                 std::size_t bytes) {
  Bytes found;
  if (set.count() == 0) return found;
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto address = static_cast<std::uint32_t>(begin + i);
    if (!set.contains(address, 1)) continue;
    if (but_not != nullptr && but_not->contains(address, 1)) continue;
    if (found.count++ == 0) found.first = i;
  }
  return found;
}

Provenance::Bytes Provenance::written_by_kernels(std::uint32_t begin, std::size_t bytes) const {
  return in(by_kernel_, nullptr, begin, bytes);
}

Provenance::Bytes Provenance::written_by_host(std::uint32_t begin, std::size_t bytes) const {
  return in(by_host_, &by_kernel_, begin, bytes);
}

Provenance::Bytes Provenance::copied_from_inputs(std::uint32_t begin, std::size_t bytes) const {
  return in(by_copy_, &by_kernel_, begin, bytes);
}

/// A few elements may be copies of inputs, such as the first of a row, but not most of an array.
std::string Provenance::foreign_work(const void* pointer, const char* name,
                                     std::size_t element_bytes, std::size_t elements) const {
  const std::uint32_t begin = compress_arena(pointer);
  const std::size_t bytes = element_bytes * elements;
  const auto text = [&](std::size_t byte, const char* what) {
    return std::string(name) + "[" + std::to_string(byte / element_bytes) + "] " + what +
           ". Every element of an output has to be written by a kernel";
  };
  if (const Bytes by_host = written_by_host(begin, bytes); by_host.count > 0) {
    return text(
        by_host.first,
        "was written last by host code, with cudaMemcpy() or cudaMemset(), not by a kernel");
  }
  const Bytes copied = copied_from_inputs(begin, bytes);
  if (copied.count <= std::max(HostReads::allowed_bytes, bytes / 2)) return "";
  return text(copied.first, "and more than half of the array was copied, not computed");
}

}  // namespace tilelab::emulator
