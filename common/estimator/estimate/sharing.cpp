#include "estimator/estimate/sharing.h"

#include <cstddef>

namespace tilelab::estimator {

void add_sectors(Sectors& into, const BlockTrace& block) {
  for (const Trace& trace : block) {
    for (const Line& line : trace.lines) into[line.number] |= line.sectors;
  }
}

void mark_shared(std::vector<BlockTrace>& blocks, const Sectors& earlier) {
  BlockTrace& first = blocks[0];
  for (Trace& trace : first) {
    for (Line& line : trace.lines) {
      const auto found = earlier.find(line.number);
      line.is_shared = found != earlier.end() && (found->second & line.sectors) == line.sectors;
    }
  }
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    for (std::size_t w = 0; w < blocks[b].size(); ++w) {
      auto& lines = blocks[b][w].lines;
      if (lines.size() != first[w].lines.size()) continue;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].is_shared = first[w].lines[i].is_shared;
      }
    }
  }
}

}  // namespace tilelab::estimator
