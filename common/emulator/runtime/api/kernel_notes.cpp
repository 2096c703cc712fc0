#include "emulator/runtime/api/kernel_notes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "emulated/kernel_notes.h"
#include "emulator/runtime/round_up.h"

extern "C" {
[[gnu::weak,
  gnu::visibility("hidden")]] extern const tilelab::emulator::KernelNote __start_tilelab_kernels[];
[[gnu::weak,
  gnu::visibility("hidden")]] extern const tilelab::emulator::KernelNote __stop_tilelab_kernels[];
}

namespace tilelab::emulator {
namespace {

std::uintptr_t code_of(const KernelNote& note) {
  return reinterpret_cast<std::uintptr_t>(&note) + static_cast<std::uintptr_t>(note.to_code);
}

/// All notes, in the order of the code that they are for.
const std::vector<const KernelNote*>& sorted_notes() {
  static const std::vector<const KernelNote*> notes = [] {
    std::vector<const KernelNote*> all;
    for (const KernelNote* it = __start_tilelab_kernels; it != __stop_tilelab_kernels; ++it) {
      all.push_back(it);
    }
    std::ranges::stable_sort(all, {}, [](const KernelNote* it) { return code_of(*it); });
    return all;
  }();
  return notes;
}

/// The notes of the kernel are the first that begin behind its address, up to the next that begin.
KernelNotes read_notes(const void* kernel) {
  const std::vector<const KernelNote*>& notes = sorted_notes();
  const auto address = reinterpret_cast<std::uintptr_t>(kernel);
  auto it = std::ranges::find_if(notes, [address](const KernelNote* note) {
    return note->number == 0 && code_of(*note) >= address;
  });
  KernelNotes result;
  if (it == notes.end()) return result;
  result.most_threads = static_cast<unsigned>((*it)->value);
  // The compiler may have doubled code that notes a variable.
  std::map<std::uint64_t, const KernelNote*> variables;
  for (++it; it != notes.end() && (*it)->number != 0; ++it) variables[(*it)->number] = *it;
  for (const auto& [number, variable] : variables) {
    result.shared_bytes = round_up(result.shared_bytes, variable->alignment) + variable->value;
  }
  return result;
}

}  // namespace

KernelNotes notes_of(const void* kernel) {
  static auto* const known = new std::unordered_map<const void*, KernelNotes>;
  if (kernel == nullptr) return {};
  const auto [found, is_new] = known->try_emplace(kernel);
  if (is_new) found->second = read_notes(kernel);
  return found->second;
}

}  // namespace tilelab::emulator
