#include "emulator/observer/merge/control_flow.h"

#include <algorithm>

#include "emulator/observer/events/event.h"
#include "emulator/observer/memory/reserved_memory.h"

namespace tilelab::emulator {

ControlFlow::ControlFlow()
    : ids_(static_cast<BlockId*>(
          reserve_memory((std::size_t{1} << (32 - place_shift)) * sizeof(BlockId)))),
      blocks_(1) {}

BlockId ControlFlow::add(std::uint32_t place) {
  const auto id = static_cast<BlockId>(blocks_.size());
  ids_[place] = id;
  blocks_.emplace_back();
  blocks_.back().place = place;
  return id;
}

void ControlFlow::saw_slowly(BlockId from, BlockId to) {
  Block& block = blocks_[from];
  block.recent[1] = block.recent[0];
  block.recent[0] = to;
  if (std::find(block.successors.begin(), block.successors.end(), to) != block.successors.end()) {
    return;
  }
  block.successors.push_back(to);
  is_outdated_ = true;
}

bool ControlFlow::always_leads_to(BlockId from, BlockId to) const {
  bool is_reached = false;
  std::vector<bool> seen(blocks_.size());
  std::vector<BlockId> open{from};
  seen[from] = true;
  while (!open.empty()) {
    const std::vector<BlockId>& successors = blocks_[open.back()].successors;
    if (successors.empty()) return false;  // the kernel can end without the other block
    open.pop_back();
    for (const BlockId next : successors) {
      is_reached = is_reached || next == to;
      if (next == to || seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return is_reached;
}

void ControlFlow::find_loops() {
  is_outdated_ = false;
  std::vector<BlockId> all(blocks_.size());
  for (BlockId id = 0; id < blocks_.size(); ++id) {
    all[id] = id;
    blocks_[id].levels.clear();
    blocks_[id].is_header = false;
  }
  split_region(all, no_block);
  for (BlockId id = 1; id < blocks_.size(); ++id) {
    ids_[blocks_[id].place] = id | (blocks_[id].is_header ? header_bit : 0);
  }
}

/// Orders a region's parts. Those that are cycles become loops and are split in turn, without the
/// edges back to where they begin.
void ControlFlow::split_region(const std::vector<BlockId>& region, BlockId header) {
  const auto parts = components(region, header);
  std::vector<BlockId> part_header(parts.size(), no_block);
  for (std::uint32_t order = 0; order < parts.size(); ++order) {
    const std::vector<BlockId>& part = parts[order];
    const auto& successors = blocks_[part[0]].successors;
    const bool is_loop =
        part.size() > 1 || (part[0] != header && std::find(successors.begin(), successors.end(),
                                                           part[0]) != successors.end());
    BlockId begin = no_block;
    if (is_loop) {
      begin = entry_of(part, region, header);
      blocks_[begin].is_header = true;
    }
    for (const BlockId id : part) blocks_[id].levels.push_back({order, begin});
    if (is_loop) split_region(part, begin);
  }
}

/// Where control enters a cycle of blocks from the rest of its region.
BlockId ControlFlow::entry_of(const std::vector<BlockId>& part, const std::vector<BlockId>& region,
                              BlockId header) const {
  const auto is_in_part = [&](BlockId id) {
    return std::find(part.begin(), part.end(), id) != part.end();
  };
  for (const BlockId id : region) {
    if (is_in_part(id)) continue;
    for (const BlockId next : blocks_[id].successors) {
      if (next != header && is_in_part(next)) return next;
    }
  }
  return *std::min_element(part.begin(), part.end());
}

/// The strongly connected components in topological order. Edges to the header do not count. This
/// is Tarjan's algorithm, which yields them in reverse.
std::vector<std::vector<BlockId>> ControlFlow::components(const std::vector<BlockId>& region,
                                                          BlockId header) const {
  struct Visit {
    std::uint32_t index = 0;  // 0: not visited
    std::uint32_t low = 0;
    bool on_stack = false;
    bool in_region = false;
  };
  struct Frame {
    BlockId id;
    std::size_t next = 0;
  };
  std::vector<Visit> visits(blocks_.size());
  for (const BlockId id : region) visits[id].in_region = true;
  std::vector<BlockId> stack;
  std::vector<std::vector<BlockId>> result;
  std::uint32_t index = 0;
  std::vector<Frame> frames;
  const auto open = [&](BlockId id) {
    visits[id].index = visits[id].low = ++index;
    visits[id].on_stack = true;
    stack.push_back(id);
    frames.push_back({id});
  };
  for (const BlockId root : region) {
    if (visits[root].index != 0) continue;
    open(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const BlockId id = frame.id;
      const auto& successors = blocks_[id].successors;
      if (frame.next < successors.size()) {
        const BlockId next = successors[frame.next++];
        if (next == header || !visits[next].in_region) continue;
        if (visits[next].index == 0) {
          open(next);
        } else if (visits[next].on_stack) {
          visits[id].low = std::min(visits[id].low, visits[next].index);
        }
        continue;
      }
      if (visits[id].low == visits[id].index) {
        std::vector<BlockId> part;
        BlockId member;
        do {
          member = stack.back();
          stack.pop_back();
          visits[member].on_stack = false;
          part.push_back(member);
        } while (member != id);
        result.push_back(std::move(part));
      }
      frames.pop_back();
      if (!frames.empty()) {
        Visit& parent = visits[frames.back().id];
        parent.low = std::min(parent.low, visits[id].low);
      }
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

void ControlFlow::enter(Position& position, BlockId block) const {
  if (blocks_[block].is_header) {
    if (position.rounds.size() <= block) position.rounds.resize(blocks_.size());
    const auto& levels = blocks_[position.block].levels;
    const bool comes_from_within = std::any_of(
        levels.begin(), levels.end(), [&](const Level& level) { return level.header == block; });
    position.rounds[block] = comes_from_within ? position.rounds[block] + 1 : 0;
  }
  position.block = block;
}

int ControlFlow::compare(const Position& a, const Position& b) const {
  const auto& a_levels = blocks_[a.block].levels;
  const auto& b_levels = blocks_[b.block].levels;
  const std::size_t common = std::min(a_levels.size(), b_levels.size());
  const auto round = [](const Position& position, BlockId header) {
    return header < position.rounds.size() ? position.rounds[header] : 0;
  };
  for (std::size_t i = 0; i < common; ++i) {
    if (a_levels[i].order != b_levels[i].order) {
      return a_levels[i].order < b_levels[i].order ? -1 : 1;
    }
    const BlockId header = a_levels[i].header;
    if (header == no_block) return 0;  // they are at the same block
    const std::uint32_t a_round = round(a, header);
    const std::uint32_t b_round = round(b, header);
    if (a_round != b_round) return a_round < b_round ? -1 : 1;
  }
  return 0;
}

}  // namespace tilelab::emulator
