#pragma once

#include <array>
#include <vector>

#include "emulator/observer/merge/control_flow.h"
#include "emulator/observer/merge/lane_log.h"
#include "emulator/observer/merge/warp_request.h"

/// Puts the lanes' logs together again to what the warp did.
namespace tilelab::emulator {

/// Lanes execute an access together if they are at the same place of the program in the same round
/// of every loop around it: as on hardware that brings lanes together again where their ways meet.
class WarpMerge {
 public:
  explicit WarpMerge(WarpAccessSink& sink) : sink_(sink) {}

  using Lanes = std::array<LaneLog*, 32>;  ///< null where a lane has nothing to tell

  /// Tells the sink what can be told for sure, and drops it from the logs: everything, unless a
  /// lane's log is open and others are ahead of it.
  /// @param lanes_of_mark  which lanes carry a mark, by its id
  template <class LanesOfMark>
  void drain(const Lanes& lanes, LanesOfMark lanes_of_mark);

 private:
  /// Lanes that go the same way through the program.
  struct Group {
    LaneLog* log;  ///< of the first lane
    std::uint32_t lanes = 0;
    std::size_t access = 0;    ///< the next one
    std::size_t block = 0;     ///< the next one
    std::size_t in_block = 0;  ///< accesses since the block began
    ControlFlow::Position position{};

    bool has_access() const { return access < log->access_count(); }
    Event head() const { return log->storage->accesses[access]; }
  };

  void learn(const LaneLog& log);
  bool same_way(const LaneLog& a, const LaneLog& b, bool knows_same_blocks);
  bool same_loops(const LaneLog& a, const LaneLog& b) const;
  void form_groups(const Lanes& lanes);

  void drain_together(const Lanes& lanes, std::uint32_t mask);
  template <class LanesOfMark>
  void drain_apart(const Lanes& lanes, LanesOfMark lanes_of_mark);
  void enter_blocks(Group& group);
  int compare(const Group& a, const Group& b) const;
  void step(const Lanes& lanes, const std::vector<Group*>& together);
  template <class LanesOfMark>
  bool step_over_mark(LanesOfMark lanes_of_mark);
  Group* earliest();

  WarpAccessSink& sink_;
  ControlFlow control_flow_;
  std::vector<Group> groups_;
};

template <class LanesOfMark>
void WarpMerge::drain(const Lanes& lanes, LanesOfMark lanes_of_mark) {
  form_groups(lanes);
  if (groups_.empty()) return;
  if (groups_.size() == 1) {
    drain_together(lanes, groups_[0].lanes);
  } else {
    drain_apart(lanes, lanes_of_mark);
  }
}

template <class LanesOfMark>
void WarpMerge::drain_apart(const Lanes& lanes, LanesOfMark lanes_of_mark) {
  for (Group& group : groups_) {
    group.position = group.log->position;
    enter_blocks(group);
  }
  std::vector<Group*> together;
  for (;;) {
    if (step_over_mark(lanes_of_mark)) continue;
    Group* first = earliest();
    if (first == nullptr) break;
    together.clear();
    for (Group& group : groups_) {
      if (group.has_access() && code_of(group.head()) == code_of(first->head()) &&
          compare(group, *first) == 0) {
        together.push_back(&group);
      }
    }
    step(lanes, together);
  }
  for (const Group& group : groups_) {
    for (std::uint32_t rest = group.lanes; rest != 0; rest &= rest - 1) {
      LaneLog& log = *lanes[static_cast<unsigned>(std::countr_zero(rest))];
      log.position = group.position;
      // Lanes of a group can have gone through different blocks without an access.
      log.drop(group.access, log.blocks_until(group.access));
    }
  }
}

/// Lanes that carry the same mark wait for each other.
template <class LanesOfMark>
bool WarpMerge::step_over_mark(LanesOfMark lanes_of_mark) {
  for (const Group& group : groups_) {
    if (!group.has_access() || !is_mark(code_of(group.head()))) continue;
    const Event mark = group.head();
    std::uint32_t here = 0;
    for (const Group& other : groups_) {
      if (other.has_access() && other.head() == mark) here |= other.lanes;
    }
    if (here != lanes_of_mark(address_of(mark))) continue;
    sink_.take_mark(address_of(mark), here);
    for (Group& other : groups_) {
      if ((other.lanes & here) == 0) continue;
      ++other.access;
      enter_blocks(other);
    }
    return true;
  }
  return false;
}

}  // namespace tilelab::emulator
