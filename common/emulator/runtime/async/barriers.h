#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulated/site.h"
#include "emulator/runtime/async/async_copies.h"

namespace tilelab::emulator {

class Scheduler;

/// The barriers in shared memory that count arrivals and bytes: what `cuda::barrier` is made of. A
/// phase ends when all arrivals have come, and all copies that the barrier waits for.
class Barriers {
 public:
  /// The only one in the process.
  static Barriers& instance();

  /// A block begins: there is no barrier yet.
  void clear();
  bool has_any() const { return !barriers_.empty(); }

  void initialize(const void* address, unsigned arrivals, Site site);
  void invalidate(const void* address, Site site);
  /// @param expected_bytes  how many bytes of bulk copies the phase waits for in addition
  /// @return how many phases have ended once the one that the thread has arrived at has
  std::uint64_t arrive(const void* address, unsigned arrivals, bool drops,
                       std::int64_t expected_bytes, Site site);
  void expect_bytes(const void* address, std::int64_t bytes, Site site);
  /// Waits until this many phases have ended.
  void wait(const void* address, std::uint64_t phases, Site site);
  /// Whether they have ended. If not, other threads run first.
  bool try_wait(const void* address, std::uint64_t phases, Site site);
  std::uint64_t ended_phases(const void* address, Site site);
  /// A copy that the running phase waits for.
  /// @param counts_bytes  whether it counts as bytes that were expected
  void copy(const void* address, const AsyncCopies::Copy& copy, bool counts_bytes, Site site);

  /// Writes down, for the sentence about a deadlock, what each barrier still waits for.
  void describe();

 private:
  struct Barrier {
    unsigned expected = 0;
    unsigned pending = 0;
    unsigned dropped = 0;            ///< Arrivals that no longer come from the next phase on.
    std::int64_t pending_bytes = 0;  ///< Below 0 if copies have brought more than was expected.
    std::int64_t late_bytes = 0;     ///< Bytes of copies that happen when the phase ends.
    AsyncCopies::Batch batch = 0;    ///< The copies of this phase.
    std::vector<AsyncCopies::Batch> ended;  ///< The copies of the phases that have ended.
    std::vector<unsigned> waiting;
    std::unordered_set<unsigned> arrived;  ///< The threads that have arrived in this phase.
    Site initialized{};
    std::string description;
  };

  void pass(const void* address, const Barrier& barrier, std::uint64_t phases, Site site);
  Barrier& find(const void* address, const char* verb, Site site);
  void end_phase_if_complete(Barrier& barrier);
  static bool waits_for_others_alone(const Barrier& barrier);

  std::unordered_map<const void*, Barrier> barriers_;
  std::unordered_map<const void*, Site> invalidated_;
};

}  // namespace tilelab::emulator
