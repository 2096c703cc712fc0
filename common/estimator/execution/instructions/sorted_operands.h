#pragma once

#include <array>
#include <cstddef>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// The operands of an integer instruction, sorted. It names its result, the predicates that it
/// writes, its sources, and the predicates that it reads, in this order.
struct SortedOperands {
  /// A few operands, in order.
  template <std::size_t Most>
  struct List {
    void add(const Operand& it) {
      if (count < Most) items[count++] = &it;
    }
    const Operand& operator[](std::size_t i) const { return *items[i]; }

    std::array<const Operand*, Most> items{};
    std::size_t count = 0;
  };

  explicit SortedOperands(const Instruction& one) {
    for (const Operand& it : one.operands) {
      if (is_predicate(it)) {
        const bool is_written = sources.count == 0 && (to != nullptr || &it == &one.operands[0]);
        is_written ? written.add(it) : read.add(it);
      } else if (to == nullptr) {
        to = &it;
      } else {
        sources.add(it);
      }
    }
  }

  const Operand* to = nullptr;
  List<2> written;
  List<4> sources;
  List<3> read;
};

}  // namespace tilelab::estimator
