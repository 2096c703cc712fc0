#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/observer/events/event.h"

namespace tilelab::emulator {

/// What moves the bytes of a copy.
enum class CopyKind {
  of_thread,    ///< The thread's own instruction, with up to 16 bytes.
  bulk,         ///< A unit of the multiprocessor, which takes a copy of any size.
  bulk_of_part  ///< The same unit, for a chunk that is all that a copy takes of a sector.
};

/// Where an asynchronous copy reads and writes.
struct CopyPlace {
  Code load;
  Code store;
  std::uint32_t from;
  std::uint32_t to;
  unsigned source_bytes;
  unsigned bytes;
};

/// What the hooks told of the copy that the running thread starts. Its accesses count as traffic,
/// but they are the copy's, not the thread's.
class CopyObserver {
 public:
  void begin(const void* from, unsigned source_bytes, CopyKind kind) {
    is_running_ = true;
    kind_ = kind;
    from_ = from;
    source_bytes_ = source_bytes;
  }
  const void* from() const { return from_; }
  unsigned source_bytes() const { return source_bytes_; }
  bool is_running() const { return is_running_; }
  void stores(Event event) {
    store_ = event;
    remember(code_of(event));
  }
  /// @param from  the compressed address of the source
  void end(std::optional<std::uint32_t> from, unsigned source_bytes, Code load) {
    is_running_ = false;
    remember(load);
    const Code store = code_of(store_);
    place_ = {load,
              store,
              from.value_or(space_base::local),
              address_of(store_),
              from ? source_bytes : 0,
              bytes_of(store)};
  }
  const CopyPlace& place() const { return place_; }

  /// Whether the code only starts copies.
  bool is_copy(Code code) const { return find(code) != nullptr; }
  /// What the code starts, if it only starts copies.
  std::optional<CopyKind> kind_of_copy(Code code) const {
    const Place* const found = find(code);
    return found != nullptr ? std::optional(found->kind) : std::nullopt;
  }

 private:
  struct Place {
    std::uint32_t place;
    CopyKind kind;
  };

  const Place* find(Code code) const {
    for (const Place& one : places_) {
      if (one.place == place_of(code)) return &one;
    }
    return nullptr;
  }
  void remember(Code code) {
    if (!is_copy(code)) places_.push_back({place_of(code), kind_});
  }

  bool is_running_ = false;
  CopyKind kind_ = CopyKind::of_thread;
  const void* from_ = nullptr;
  unsigned source_bytes_ = 0;
  Event store_ = 0;
  CopyPlace place_{};
  std::vector<Place> places_;  ///< A program has few of them.
};

}  // namespace tilelab::emulator
