#include "emulator/observer/merge/warp_merge.h"

namespace tilelab::emulator {
namespace {

/// Whether all events have the same codes, and the same marks.
bool same_events(const Event* a, const Event* b, std::size_t count) {
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // All ones for a mark: both bits of the kind are set.
    const std::uint64_t is_mark = 0 - (a[i] >> kind_shift & a[i] >> (kind_shift + 1) & 1);
    different |= (a[i] ^ b[i]) & (is_mark | 0xffffffff);
  }
  return different == 0;
}
static_assert(mark_kind == 3);

/// The distance between the block events of two logs that name the same access. They name it by its
/// address.
Event shift_between(const LaneLog& a, const LaneLog& b) {
  return static_cast<Event>(reinterpret_cast<std::uintptr_t>(b.storage->accesses) -
                            reinterpret_cast<std::uintptr_t>(a.storage->accesses))
         << 32;
}

/// Whether two lanes went through the same blocks at the same accesses.
bool same_blocks(const LaneLog& a, const LaneLog& b) {
  const std::size_t count = a.block_count();
  if (count != b.block_count()) return false;
  const Event shift = shift_between(a, b);
  const Event* const one = a.storage->blocks;
  const Event* const other = b.storage->blocks;
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < count; ++i) different |= (other[i] - one[i]) ^ shift;
  return different == 0;
}

/// Fills in what describes the access of all lanes at once.
void fill_regular(WarpAccess& access, Event first, Event second) {
  access.is_regular = true;
  access.first = address_of(first);
  access.stride = address_of(second) - address_of(first);
}

}  // namespace

void WarpMerge::drain(unsigned warp, const Lanes& lanes, const std::vector<Meeting>& meetings) {
  warp_ = warp;
  form_groups(lanes);
  if (groups_.empty()) return;
  if (groups_.size() == 1) {
    drain_together(lanes, groups_[0].lanes, meetings);
  } else {
    drain_apart(lanes, meetings);
  }
}

void WarpMerge::learn(const LaneLog& log) {
  BlockId previous = log.position.block;
  for (const Event* event = log.storage->blocks; event != log.block_cursor; ++event) {
    const BlockId block = control_flow_.id_of(code_of(*event));
    control_flow_.saw(previous, block);
    previous = block;
  }
}

bool WarpMerge::same_loops(const LaneLog& a, const LaneLog& b) const {
  const auto next_header = [this](const Event* event, const Event* end) {
    while (event != end && !control_flow_.is_header(code_of(*event))) ++event;
    return event;
  };
  const Event shift = shift_between(a, b);
  const Event* one = a.storage->blocks;
  const Event* other = b.storage->blocks;
  for (;;) {
    one = next_header(one, a.block_cursor);
    other = next_header(other, b.block_cursor);
    if (one == a.block_cursor || other == b.block_cursor) break;
    if (*other++ - *one++ != shift) return false;
  }
  return one == a.block_cursor && other == b.block_cursor;
}

/// Blocks without an access do not matter, unless a loop begins there: each access must be in the
/// same round of every loop.
bool WarpMerge::same_path(const LaneLog& a, const LaneLog& b, bool knows_same_blocks) {
  const std::size_t count = a.access_count();
  if (a.is_open != b.is_open || count != b.access_count()) return false;
  const bool same_position =
      a.position == b.position || control_flow_.compare(a.position, b.position) == 0;
  if (!same_position) return false;
  if (!same_events(a.storage->accesses, b.storage->accesses, count)) return false;
  return knows_same_blocks || same_loops(a, b);
}

void WarpMerge::form_groups(const Lanes& lanes) {
  groups_.clear();
  // Most lanes do what the first one does.
  const LaneLog* first = nullptr;
  std::uint32_t like_first = 0;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    const LaneLog* log = lanes[lane];
    if (log == nullptr) continue;
    if (first != nullptr && first->position.block == log->position.block &&
        same_blocks(*first, *log)) {
      like_first |= 1u << lane;
      continue;
    }
    learn(*log);
    if (first == nullptr) first = log;
  }
  control_flow_.update();
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane] == nullptr) continue;
    bool found = false;
    for (Group& group : groups_) {
      const bool knows_same_blocks = group.log == first && (like_first >> lane & 1) != 0;
      if (!same_path(*group.log, *lanes[lane], knows_same_blocks)) continue;
      group.lanes |= 1u << lane;
      found = true;
      break;
    }
    if (!found) groups_.push_back({.log = lanes[lane], .lanes = 1u << lane});
  }
}

void WarpMerge::drain_together(const Lanes& lanes, std::uint32_t mask,
                               const std::vector<Meeting>& meetings) {
  std::array<const Event*, 32> logs;
  unsigned lane_count = 0;
  for (const LaneLog* log : lanes) {
    if (log != nullptr) logs[lane_count++] = log->storage->accesses;
  }
  LaneLog& leader = *groups_[0].log;
  const std::size_t count = leader.access_count();
  WarpAccess access;
  access.warp = warp_;
  access.lanes = mask;
  access.count = lane_count;

  const auto emit = [&](std::size_t i, bool is_regular) {
    const Event first = logs[0][i];
    access.code = code_of(first);
    if (access.code == point_mark) return sink_.take_point(warp_, mask, address_of(first));
    if (access.code == epoch_mark) return sink_.take_epoch(warp_, mask, address_of(first));
    if (is_copy_mark(access.code)) {
      return sink_.take_copy_mark(warp_, mask, place_of(access.code));
    }
    if (is_mark(access.code)) return take_mark(meetings[address_of(first)], mask);
    if (is_regular) {
      fill_regular(access, first, lane_count > 1 ? logs[1][i] : first);
    } else {
      access.is_regular = false;
      for (unsigned lane = 0; lane < lane_count; ++lane) {
        access.addresses[lane] = address_of(logs[lane][i]);
      }
    }
    sink_.take(access);
  };

  // Whether the lanes' addresses are at equal distances, for several accesses at a time.
  constexpr std::size_t width = 8;
  std::size_t i = 0;
  for (; lane_count > 1 && i + width <= count; i += width) {
    std::uint64_t expected[width];
    std::uint64_t stride[width];
    std::uint64_t different[width] = {};
    for (std::size_t k = 0; k < width; ++k) {
      expected[k] = logs[1][i + k];
      stride[k] = logs[1][i + k] - logs[0][i + k];
    }
    for (unsigned lane = 2; lane < lane_count; ++lane) {
      for (std::size_t k = 0; k < width; ++k) {
        expected[k] += stride[k];
        different[k] |= logs[lane][i + k] ^ expected[k];
      }
    }
    for (std::size_t k = 0; k < width; ++k) emit(i + k, different[k] == 0);
  }
  for (; i < count; ++i) {
    bool is_regular = true;
    for (unsigned lane = 2; lane < lane_count; ++lane) {
      is_regular = is_regular && logs[lane][i] - logs[lane - 1][i] == logs[1][i] - logs[0][i];
    }
    emit(i, is_regular);
  }

  for (const Event* event = leader.storage->blocks; event != leader.block_cursor; ++event) {
    control_flow_.enter(leader.position, control_flow_.id_of(code_of(*event)));
  }
  for (LaneLog* log : lanes) {
    if (log == nullptr) continue;
    if (log != &leader) log->position = leader.position;
    log->clear();
  }
}

void WarpMerge::drain_apart(const Lanes& lanes, const std::vector<Meeting>& meetings) {
  for (Group& group : groups_) {
    group.position = group.log->position;
    enter_blocks(group);
  }
  for (;;) {
    if (step_over_mark(meetings)) continue;
    if (!find_earliest()) break;
    step(lanes);
  }
  for (const Group& group : groups_) {
    for (std::uint32_t rest = group.lanes; rest != 0; rest &= rest - 1) {
      LaneLog& log = *lanes[static_cast<unsigned>(std::countr_zero(rest))];
      log.position = group.position;
      // The lanes of a group may have gone through different blocks without an access.
      log.drop(group.access, log.blocks_until(group.access));
    }
  }
}

void WarpMerge::enter_blocks(Group& group) {
  const LaneLog& log = *group.log;
  while (group.block < log.block_count() &&
         log.accesses_before(log.storage->blocks[group.block]) <= group.access) {
    control_flow_.enter(group.position,
                        control_flow_.id_of(code_of(log.storage->blocks[group.block])));
    ++group.block;
    group.in_block = 0;
  }
}

int WarpMerge::compare(const Group& a, const Group& b) const {
  if (const int order = control_flow_.compare(a.position, b.position); order != 0) return order;
  return a.in_block < b.in_block ? -1 : a.in_block > b.in_block;
}

/// Finds the groups whose next access comes first. False if there is none, or it is not certain.
bool WarpMerge::find_earliest() {
  earliest_.clear();
  for (Group& group : groups_) {
    if (!group.has_access()) {
      if (group.log->is_open) return false;
      continue;
    }
    if (is_mark(code_of(group.head())) && !is_copy_mark(code_of(group.head()))) continue;
    const int order = earliest_.empty() ? 0 : compare(group, *earliest_[0]);
    if (order < 0) earliest_.clear();
    if (order <= 0) earliest_.push_back(&group);
  }
  if (earliest_.empty()) return false;
  const Code code = code_of(earliest_[0]->head());
  std::erase_if(earliest_, [&](const Group* group) { return code_of(group->head()) != code; });
  return true;
}

/// The groups that are earliest make their access.
void WarpMerge::step(const Lanes& lanes) {
  WarpAccess access;
  access.code = code_of(earliest_[0]->head());
  access.warp = warp_;
  access.lanes = 0;
  access.count = 0;
  access.is_regular = false;
  std::array<std::uint32_t, 32> addresses;
  for (const Group* group : earliest_) {
    access.lanes |= group->lanes;
    for (std::uint32_t rest = group->lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      addresses[lane] = address_of(lanes[lane]->storage->accesses[group->access]);
    }
  }
  for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
    access.addresses[access.count++] = addresses[static_cast<unsigned>(std::countr_zero(rest))];
  }
  if (is_copy_mark(access.code)) {
    sink_.take_copy_mark(warp_, access.lanes, place_of(access.code));
  } else {
    sink_.take(access);
  }
  for (Group* group : earliest_) {
    ++group->access;
    ++group->in_block;
    enter_blocks(*group);
  }
}

/// Lanes that carry the mark of the same meeting wait for each other.
bool WarpMerge::step_over_mark(const std::vector<Meeting>& meetings) {
  for (Group& group : groups_) {
    if (!group.has_access() || !is_mark(code_of(group.head()))) continue;
    const Event mark = group.head();
    if (is_copy_mark(code_of(mark))) continue;
    if (code_of(mark) == point_mark || code_of(mark) == epoch_mark) {
      if (code_of(mark) == point_mark) {
        sink_.take_point(warp_, group.lanes, address_of(mark));
      } else {
        sink_.take_epoch(warp_, group.lanes, address_of(mark));
      }
      ++group.access;
      enter_blocks(group);
      return true;
    }
    std::uint32_t here = 0;
    for (const Group& other : groups_) {
      if (other.has_access() && other.head() == mark) here |= other.lanes;
    }
    const Meeting& meeting = meetings[address_of(mark)];
    if (here != meeting.lanes) continue;
    take_mark(meeting, here);
    for (Group& other : groups_) {
      if ((other.lanes & here) == 0) continue;
      ++other.access;
      enter_blocks(other);
    }
    return true;
  }
  return false;
}

void WarpMerge::take_mark(const Meeting& meeting, std::uint32_t lanes) {
  if (meeting.number != 0) sink_.take_point(warp_, lanes, meeting.number);
}

}  // namespace tilelab::emulator
