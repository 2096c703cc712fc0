#include "estimator/code/function_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "estimator/code/operand.h"
#include "estimator/code/pipe.h"
#include "estimator/code/text.h"

namespace tilelab::estimator {

namespace {

Operation operation_named(std::string_view name) {
#define TILELAB_NAME(name, family) std::string_view(#name)
  static constexpr std::array names = {TILELAB_OPERATIONS(TILELAB_NAME)};
#undef TILELAB_NAME
  return static_cast<Operation>(std::ranges::find(names, name) - names.begin());
}

/// How many bytes each lane accesses.
int bytes_of(const Instruction& one) {
  const bool is_atomic = is_global_atomic(one.operation) || one.operation == Operation::ATOMS;
  for (const std::string& modifier : one.modifiers) {
    if (modifier == "128") return 16;
    if (modifier == "64") return 8;
    if (is_atomic && (modifier == "F64" || modifier == "S64" || modifier == "U64")) return 8;
    if (modifier == "U8" || modifier == "S8") return 1;
    if (modifier == "U16" || modifier == "S16") return 2;
  }
  return 4;
}

/// How many registers an instruction reads of each of the two banks, which have the even and the
/// odd registers. What the instruction before kept for reuse in the same place need not be read.
std::array<int, 2> bank_reads(const Instruction& one, const Instruction* before) {
  std::array<int, 2> wanted{};
  for (std::size_t i = 1; i < one.operands.size(); ++i) {
    const Operand& it = one.operands[i];
    if (it.kind != Kind::reg || it.index == 255) continue;
    const bool is_kept = before != nullptr && i < before->operands.size() &&
                         before->operands[i].kind == Kind::reg && before->operands[i].is_reused &&
                         before->operands[i].index == it.index;
    if (!is_kept) ++wanted[static_cast<std::size_t>(it.index % 2)];
  }
  return wanted;
}

/// Whether an instruction reads and makes the upper halves of doubles.
bool is_of_upper_halves(const Instruction& one) {
  return one.operation == Operation::MUFU && (one.has("RCP64H") || one.has("RSQ64H"));
}

/// An operand of such an instruction: a number is the double whose upper half is meant.
Operand read_upper_half(std::string_view text) {
  Operand made = read_operand(text, Precision::twofold);
  if (made.kind == Kind::number && text.find("0x") == std::string_view::npos) made.value >>= 32;
  return made;
}

/// nvdisasm leaves out that the address of a compare-and-swap has 64 bits, as all of global memory
/// have that no uniform register is added to.
void widen_address(Instruction& one) {
  if (!is_global_atomic(one.operation)) return;
  for (Operand& it : one.operands) {
    if (it.kind == Kind::memory && it.index < 255 && it.uniform_index == 63) it.is_wide = true;
  }
}

}  // namespace

void FunctionReader::begin(std::string name) {
  end();
  name_ = std::move(name);
}

void FunctionReader::label(std::string name) {
  labels_[std::move(name)] = static_cast<int>(code_.size());
}

void FunctionReader::instruction(std::string_view text) {
  Instruction made;
  made.text = text;
  made.line = line_;
  if (text.starts_with("@")) {
    const std::size_t space = text.find(' ');
    made.guard = read_operand(text.substr(1, space - 1));
    text = trimmed(text.substr(space));
  }
  const std::size_t space = text.find(' ');
  const auto words = split(text.substr(0, space), '.');
  for (std::size_t i = 1; i < words.size(); ++i) made.modifiers.emplace_back(words[i]);
  made.operation = operation_named(words[0]);
  made.pipe = pipe_of(words[0], made);
  made.bytes = bytes_of(made);
  const Precision precision = made.pipe == Pipe::fp64 ? Precision::twofold : Precision::single;
  std::string target;
  if (space != std::string_view::npos) {
    for (std::string_view part : split(text.substr(space + 1), ',')) {
      part = trimmed(part);
      if (part.empty()) continue;
      made.operands.push_back(is_of_upper_halves(made) ? read_upper_half(part)
                                                       : read_operand(part, precision));
      // `(.L_x_1)
      if (made.operands.back().kind == Kind::label) target = part.substr(2, part.size() - 3);
    }
  }
  widen_address(made);
  targets_.push_back(std::move(target));
  code_.push_back(std::move(made));
}

void FunctionReader::encoding(std::uint64_t word) {
  if (code_.empty()) return;
  const auto bits = static_cast<std::uint32_t>(word >> 41);
  Control& control = code_.back().control;
  control.stall = static_cast<int>(bits & 15U);
  control.write_scoreboard = static_cast<int>((bits >> 5U) & 7U);
  control.read_scoreboard = static_cast<int>((bits >> 8U) & 7U);
  control.waits = static_cast<std::uint8_t>((bits >> 11U) & 63U);
}

void FunctionReader::resolve_labels() {
  for (std::size_t i = 0; i < code_.size(); ++i) {
    if (targets_[i].empty()) continue;
    const auto found = labels_.find(targets_[i]);
    for (Operand& one : code_[i].operands) {
      if (one.kind == Kind::label) one.value = found == labels_.end() ? 0 : found->second;
    }
  }
}

void FunctionReader::end() {
  resolve_labels();
  for (std::size_t i = 0; i < code_.size(); ++i) {
    code_[i].reads = bank_reads(code_[i], i > 0 ? &code_[i - 1] : nullptr);
  }
  if (!code_.empty()) functions.push_back({std::move(name_), std::move(code_)});
  code_.clear();
  targets_.clear();
  labels_.clear();
  line_ = 0;
}

}  // namespace tilelab::estimator
