#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// Puts functions together from the parts of a disassembly. The places of labels are known only
/// once the whole function was read.
class FunctionReader {
 public:
  /// Ends the function before, if there is one.
  void begin(std::string name);

  /// The next instruction has this label.
  void label(std::string name);

  /// The next instructions come from this line of the source.
  void line(int number) { line_ = number; }

  /// Such as `@!P0 LDG.E R2, desc[UR4][R2.64]`.
  void instruction(std::string_view text);

  /// The upper half of the last instruction's encoding, which holds the control bits.
  void encoding(std::uint64_t word);

  /// Ends the function. Does nothing if there is none.
  void end();

  /// All functions that ended.
  std::vector<Function> functions;

 private:
  void resolve_labels();

  std::string name_;
  std::vector<Instruction> code_;
  std::vector<std::string> targets_;  ///< the label that each instruction names
  std::map<std::string, int, std::less<>> labels_;
  int line_ = 0;
};

}  // namespace tilelab::estimator
