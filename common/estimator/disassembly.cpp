#include "estimator/disassembly.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string_view>

namespace tilelab::estimator {

namespace {

constexpr std::array operation_names = {
#define TILELAB_OPERATION(name) std::string_view(#name),
#include "operations.inc"
#undef TILELAB_OPERATION
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

bool starts(std::string_view text, std::string_view with) { return text.starts_with(with); }

Operation operation_named(std::string_view name) {
  const auto found = std::ranges::find(operation_names, name);
  return static_cast<Operation>(found - operation_names.begin());
}

Pipe pipe_of(std::string_view name, const std::vector<std::string>& modifiers) {
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (name == "IMAD") {
    const bool moves =
        std::ranges::any_of(modifiers, [](const std::string& it) { return it == "MOV"; });
    return moves ? Pipe::fma : Pipe::fma_heavy;
  }
  if (one_of({"FFMA", "FADD", "FMUL"})) return Pipe::fma;
  if (one_of({"HFMA2", "HADD2", "HMUL2"})) return Pipe::fma;
  if (starts(name, "D") && one_of({"DFMA", "DADD", "DMUL", "DSETP"})) return Pipe::fp64;
  if (one_of({"MUFU", "F2I", "I2F", "F2F", "FRND", "POPC", "FLO", "BREV"})) return Pipe::xu;
  if (one_of({"LDG", "LD", "LDL", "LDS", "LDSM", "LDGSTS", "STG", "ST", "STL", "STS", "ATOM",
              "ATOMG", "ATOMS", "RED", "REDG", "SHFL", "MATCH"})) {
    return Pipe::lsu;
  }
  if (one_of({"LDC", "BAR", "S2R", "S2UR", "R2UR", "VOTEU", "MEMBAR"})) return Pipe::adu;
  if (one_of({"BRA", "BRX", "BSSY", "BSYNC", "BREAK", "CALL", "RET", "EXIT", "WARPSYNC", "YIELD"})) {
    return Pipe::cbu;
  }
  if (starts(name, "U")) return Pipe::uniform;
  if (one_of({"NOP", "LDGDEPBAR", "DEPBAR", "CS2R", "ERRBAR", "CGAERRBAR", "CCTL"})) {
    return Pipe::other;
  }
  return Pipe::alu;
}

/// The bits of an immediate: 0x20, -0x1, 1.5, +INF or -QNAN.
std::int64_t number(std::string_view text) {
  const bool is_negative = starts(text, "-");
  std::string_view digits = text;
  if (starts(digits, "-") || starts(digits, "+")) digits.remove_prefix(1);
  if (starts(digits, "0x")) {
    const auto magnitude = static_cast<std::int64_t>(
        std::strtoull(std::string(digits.substr(2)).c_str(), nullptr, 16));
    return is_negative ? -magnitude : magnitude;
  }
  float value = 0;
  if (starts(digits, "INF")) {
    value = std::numeric_limits<float>::infinity();
  } else if (starts(digits, "QNAN") || starts(digits, "SNAN")) {
    value = std::numeric_limits<float>::quiet_NaN();
  } else {
    value = std::strtof(std::string(digits).c_str(), nullptr);
  }
  return std::bit_cast<std::uint32_t>(is_negative ? -value : value);
}

int register_number(std::string_view digits, int none) {
  if (starts(digits, "Z") || starts(digits, "T")) return none;
  return std::atoi(std::string(digits).c_str());
}

/// Reads R4, R4.64, UR6, 0x80 or -0x80 of an address.
void add_to_address(Operand& into, std::string_view part) {
  part = trimmed(part);
  if (starts(part, "UR")) {
    into.uniform_index = register_number(part.substr(2), 63);
  } else if (starts(part, "R")) {
    into.index = register_number(part.substr(1), 255);
    if (part.find(".64") != std::string_view::npos) into.is_wide = true;
  } else if (!part.empty()) {
    into.value += number(part);
  }
}

Operand address(std::string_view inside) {
  Operand made;
  made.kind = Kind::memory;
  while (!inside.empty()) {
    const std::size_t plus = inside.find('+', 1);
    add_to_address(made, inside.substr(0, plus));
    inside = plus == std::string_view::npos ? std::string_view{} : inside.substr(plus + 1);
  }
  return made;
}

Special special_named(std::string_view name) {
  static const std::map<std::string_view, Special> known = {
      {"SR_TID.X", Special::thread_x},   {"SR_TID.Y", Special::thread_y},
      {"SR_TID.Z", Special::thread_z},   {"SR_CTAID.X", Special::block_x},
      {"SR_CTAID.Y", Special::block_y},  {"SR_CTAID.Z", Special::block_z},
      {"SR_LANEID", Special::lane},      {"SR_LTMASK", Special::lanes_below},
      {"SR_CgaCtaId", Special::zero},    {"SR_SWINHI", Special::zero},
      {"SRZ", Special::zero},
  };
  const auto found = known.find(name);
  return found == known.end() ? Special::unknown : found->second;
}

Operand operand(std::string_view text) {
  Operand made;
  text = trimmed(text);
  if (starts(text, "desc[")) text = text.substr(text.find(']') + 1);
  if (starts(text, "[")) return address(text.substr(1, text.find(']') - 1));
  if (starts(text, "c[")) {
    made = address(text.substr(text.rfind('[') + 1, text.rfind(']') - text.rfind('[') - 1));
    made.kind = Kind::constant;
    // The bank: c[0x3][...].
    made.value += number(text.substr(2, text.find(']') - 2)) << 32;
    return made;
  }
  if (starts(text, "`(")) {
    made.kind = Kind::label;
    return made;
  }
  if (starts(text, "SR")) {
    made.kind = Kind::special;
    made.special = special_named(text);
    return made;
  }
  if (starts(text, "!")) {
    made.is_negated = true;
    text.remove_prefix(1);
  }
  if (starts(text, "-") && text.size() > 1 && (text[1] == 'R' || text[1] == 'U' || text[1] == '|' || text[1] == 'c')) {
    Operand inner = operand(text.substr(1));
    inner.is_negated = true;
    return inner;
  }
  if (starts(text, "~")) {
    made.is_inverted = true;
    text.remove_prefix(1);
  }
  if (starts(text, "|")) {
    Operand inner = operand(text.substr(1, text.rfind('|') - 1));
    inner.is_absolute = true;
    return inner;
  }
  const auto is_register = [&](std::string_view prefix) {
    return starts(text, prefix) && text.size() > prefix.size() &&
           (std::isdigit(static_cast<unsigned char>(text[prefix.size()])) ||
            text[prefix.size()] == 'Z' || text[prefix.size()] == 'T');
  };
  if (is_register("UR")) {
    made.kind = Kind::uniform;
    made.index = register_number(text.substr(2), 63);
  } else if (is_register("UP")) {
    made.kind = Kind::uniform_predicate;
    made.index = register_number(text.substr(2), 7);
  } else if (is_register("R")) {
    made.kind = Kind::reg;
    made.index = register_number(text.substr(1), 255);
    made.is_wide = text.find(".64") != std::string_view::npos;
    made.is_reused = text.find(".reuse") != std::string_view::npos;
  } else if (is_register("P")) {
    made.kind = Kind::predicate;
    made.index = register_number(text.substr(1), 7);
  } else if (is_register("B")) {
    made.kind = Kind::barrier;
    made.index = register_number(text.substr(1), 15);
  } else if (!text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) ||
                               text[0] == '-' || text[0] == '+')) {
    made.kind = Kind::number;
    made.value = number(text);
  } else {
    made.kind = Kind::other;
  }
  return made;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i == text.size() || (text[i] == at && depth == 0)) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return parts;
}

int bytes_of(const Instruction& one) {
  for (const std::string& modifier : one.modifiers) {
    if (modifier == "128") return 16;
    if (modifier == "64") return 8;
    if (modifier == "U8" || modifier == "S8") return 1;
    if (modifier == "U16" || modifier == "S16") return 2;
  }
  return 4;
}

/// How many registers an instruction reads of each of the two banks, which have the even and the odd
/// registers. What the instruction before kept for reuse in the same place need not be read.
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

/// A function's instructions, and the labels whose places are known once all were read.
class Reader {
 public:
  void begin(std::string name) {
    end();
    name_ = std::move(name);
  }

  void label(std::string name) { labels_[std::move(name)] = static_cast<int>(code_.size()); }

  void line(int number) { line_ = number; }

  void instruction(std::string_view text) {
    Instruction made;
    made.text = text;
    made.line = line_;
    std::string target;
    if (starts(text, "@")) {
      const std::size_t space = text.find(' ');
      made.guard = operand(text.substr(1, space - 1));
      text = trimmed(text.substr(space));
    }
    const std::size_t space = text.find(' ');
    const auto words = split(text.substr(0, space), '.');
    for (std::size_t i = 1; i < words.size(); ++i) made.modifiers.emplace_back(words[i]);
    made.operation = operation_named(words[0]);
    made.pipe = pipe_of(words[0], made.modifiers);
    if (space != std::string_view::npos) {
      for (std::string_view part : split(text.substr(space + 1), ',')) {
        part = trimmed(part);
        if (part.empty()) continue;
        made.operands.push_back(operand(part));
        if (made.operands.back().kind == Kind::label) target = part.substr(2, part.size() - 3);
      }
    }
    made.bytes = bytes_of(made);
    targets_.push_back(std::move(target));
    code_.push_back(std::move(made));
  }

  /// The second word of an instruction's encoding holds the control bits.
  void encoding(std::uint64_t word) {
    if (code_.empty()) return;
    const auto bits = static_cast<std::uint32_t>(word >> 41);
    Control& control = code_.back().control;
    control.stall = static_cast<int>(bits & 15U);
    control.write_scoreboard = static_cast<int>((bits >> 5U) & 7U);
    control.read_scoreboard = static_cast<int>((bits >> 8U) & 7U);
    control.waits = static_cast<std::uint8_t>((bits >> 11U) & 63U);
  }

  void end() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      code_[i].reads = bank_reads(code_[i], i > 0 ? &code_[i - 1] : nullptr);
    }
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (targets_[i].empty()) continue;
      const auto found = labels_.find(targets_[i]);
      for (Operand& one : code_[i].operands) {
        if (one.kind == Kind::label) one.value = found == labels_.end() ? 0 : found->second;
      }
    }
    if (!code_.empty()) functions_.push_back({std::move(name_), std::move(code_)});
    code_.clear();
    targets_.clear();
    labels_.clear();
    line_ = 0;
  }

  std::vector<Function> functions_;

 private:
  std::string name_;
  std::vector<Instruction> code_;
  std::vector<std::string> targets_;
  std::map<std::string, int> labels_;
  int line_ = 0;
};

}  // namespace

bool Instruction::has(const char* modifier) const {
  return std::ranges::find(modifiers, modifier) != modifiers.end();
}

std::vector<Function> read_disassembly(std::istream& in) {
  Reader reader;
  std::string name;
  bool is_second = false;
  for (std::string whole; std::getline(in, whole);) {
    const std::string_view line = trimmed(whole);
    if (starts(line, ".section\t.text.") || starts(line, ".section .text.")) {
      const std::string_view rest = line.substr(15);
      std::string next(rest.substr(0, rest.find_first_of(",\" \t")));
      if (next != name) reader.begin(next);
      name = next;
    } else if (starts(line, ".section")) {
      reader.end();
      name.clear();
    } else if (starts(line, "//## File")) {
      const std::size_t at = line.find(", line ");
      if (at != std::string_view::npos) reader.line(std::atoi(line.data() + at + 7));
    } else if (line.ends_with(":") && !name.empty()) {
      reader.label(std::string(line.substr(0, line.size() - 1)));
    } else if (starts(line, "/*") && !name.empty()) {
      const std::size_t hex = line.rfind("/* 0x");
      const std::size_t semicolon = line.find(';');
      if (semicolon != std::string_view::npos) {
        const std::size_t begin = line.find("*/") + 2;
        reader.instruction(trimmed(line.substr(begin, semicolon - begin)));
        is_second = true;
      } else if (is_second && hex != std::string_view::npos) {
        reader.encoding(std::strtoull(line.data() + hex + 3, nullptr, 16));
        is_second = false;
      }
    }
  }
  reader.end();
  return std::move(reader.functions_);
}

}  // namespace tilelab::estimator
