#pragma once

#include <array>
#include <vector>

#include "emulator/observer/events/warp_access.h"
#include "emulator/observer/merge/control_flow.h"
#include "emulator/observer/merge/lane_log.h"

/// Puts the lanes' logs together to find what the warp did.
namespace tilelab::emulator {

/// Lanes execute an access together if they are at the same place of the program, in the same round
/// of every loop around it. Hardware does the same: it brings lanes together where their paths
/// meet.
class WarpMerge {
 public:
  explicit WarpMerge(WarpSink& sink) : sink_(sink) {}

  using Lanes = std::array<LaneLog*, 32>;  ///< By lane; null where a lane has nothing to tell.

  /// Lanes that met at a warp operation. Each of their logs has a mark there.
  struct Meeting {
    std::uint32_t lanes;
    std::uint32_t number;  ///< The sink's number for it, or 0 if the sink need not know of it.
  };

  /// Tells the sink what is certain, and drops it from the logs. This is everything, unless a
  /// lane's log is open and other lanes are ahead of it.
  /// @param warp      the warp's number in its block
  /// @param meetings  the meetings that marks stand for, by the marks' addresses
  void drain(unsigned warp, const Lanes& lanes, const std::vector<Meeting>& meetings);

  ControlFlow& control_flow() { return control_flow_; }

 private:
  /// Lanes that take the same path through the program.
  struct Group {
    LaneLog* log;  ///< The log of the first lane.
    std::uint32_t lanes = 0;
    std::size_t access = 0;    ///< The next access.
    std::size_t block = 0;     ///< The next block event.
    std::size_t in_block = 0;  ///< How many accesses there were since the block began.
    ControlFlow::Position position{};

    bool has_access() const { return access < log->access_count(); }
    Event head() const { return log->storage->accesses[access]; }
  };

  void learn(const LaneLog& log);
  bool same_path(const LaneLog& a, const LaneLog& b, bool knows_same_blocks);
  bool same_loops(const LaneLog& a, const LaneLog& b) const;
  void form_groups(const Lanes& lanes);

  void drain_together(const Lanes& lanes, std::uint32_t mask, const std::vector<Meeting>& meetings);
  void drain_apart(const Lanes& lanes, const std::vector<Meeting>& meetings);
  void enter_blocks(Group& group);
  int compare(const Group& a, const Group& b) const;
  bool find_earliest();
  void step(const Lanes& lanes);
  bool step_over_mark(const std::vector<Meeting>& meetings);
  void take_mark(const Meeting& meeting, std::uint32_t lanes);

  WarpSink& sink_;
  unsigned warp_ = 0;
  ControlFlow control_flow_;
  std::vector<Group> groups_;
  std::vector<Group*> earliest_;  ///< Of the groups, those that make the next access.
};

}  // namespace tilelab::emulator
