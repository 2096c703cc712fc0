#pragma once

#include <bit>
#include <string>
#include <vector>

#include "estimator/code/instruction.h"
#include "estimator/execution/block.h"
#include "estimator/execution/lanes.h"

namespace tilelab::estimator {

using Lines = std::vector<const char*>;

/// A function of instructions without control bits. A line that ends in a colon is a label.
Function function_of(const std::vector<std::string>& lines);

/// Numbers of all kinds: a different one in every lane.
Lanes numbers(unsigned seed);

/// What a warp finds in R0 after some instructions.
/// @param inputs  what is in R1, R2 and so on before
Lanes result_of(const Lines& lines, const std::vector<Lanes>& inputs = {});

/// The bits that a warp finds in R10 and R11 after some instructions.
WideLanes wide_result_of(const Lines& lines, const std::vector<Lanes>& inputs);

/// The trace of each warp of a block that executes some instructions.
BlockTrace traces_of(const Function& function, std::uint32_t threads, Memory& memory,
                     std::vector<std::uint8_t> parameters = {},
                     const Limits& limits = {100'000, 100'000});

/// The value that a function of a lane's number has in each lane.
template <class F>
Lanes lanes_of(F&& value) {
  Lanes made{};
  for (std::uint32_t i = 0; i < 32; ++i) made[i] = static_cast<std::uint32_t>(value(i));
  return made;
}

/// The bits of the double that a function of a lane's number has in each lane.
template <class F>
WideLanes doubles_of(F&& value) {
  WideLanes made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = std::bit_cast<std::uint64_t>(static_cast<double>(value(i)));
  }
  return made;
}

/// The function in kernels/NAME.sass.
Function kernel_in_file(const std::string& name);

/// Appends the bytes of a parameter at a multiple of its size.
template <class T>
void add_parameter(std::vector<std::uint8_t>& to, T value) {
  while (to.size() % sizeof(T) != 0) to.push_back(0);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof(T));
}

}  // namespace tilelab::estimator
