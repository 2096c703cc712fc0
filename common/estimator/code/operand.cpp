#include "estimator/code/operand.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "estimator/code/text.h"

namespace tilelab::estimator {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The value of 1.5, INF or QNAN.
double decimal(std::string_view digits) {
  if (digits.starts_with("INF")) return std::numeric_limits<double>::infinity();
  if (digits.starts_with("QNAN") || digits.starts_with("SNAN")) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::strtod(std::string(digits).c_str(), nullptr);
}

/// The bits of an immediate: 0x20, -0x1, 1.5, +INF or -QNAN.
std::int64_t number(std::string_view text, Precision precision = Precision::single) {
  const bool is_negative = text.starts_with("-");
  std::string_view digits = text;
  if (digits.starts_with("-") || digits.starts_with("+")) digits.remove_prefix(1);
  if (digits.starts_with("0x")) {
    const std::uint64_t magnitude =
        std::strtoull(std::string(digits.substr(2)).c_str(), nullptr, 16);
    return static_cast<std::int64_t>(is_negative ? -magnitude : magnitude);
  }
  const double value = decimal(digits);
  const double with_sign = is_negative ? -value : value;
  if (precision == Precision::twofold) return std::bit_cast<std::int64_t>(with_sign);
  return std::bit_cast<std::uint32_t>(static_cast<float>(with_sign));
}

/// The sum as a GPU computes it: it wraps.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// The number of R4, UP0 or B0, from what follows the letters. RZ, PT and their like are `none`.
/// Throws std::out_of_range if no GPU has such a register.
int register_number(std::string_view digits, int none) {
  if (digits.starts_with("Z") || digits.starts_with("T")) return none;
  const int number = std::atoi(std::string(digits).c_str());
  if (number < 0 || number > none) throw std::out_of_range("there is no such register");
  return number;
}

/// Reads R4, R4.64, UR6, 0x80 or -0x80 of an address.
void add_to_address(Operand& into, std::string_view part) {
  part = trimmed(part);
  if (part.starts_with("UR")) {
    into.uniform_index = register_number(part.substr(2), 63);
  } else if (part.starts_with("R")) {
    into.index = register_number(part.substr(1), 255);
    if (part.find(".64") != std::string_view::npos) into.is_wide = true;
  } else if (!part.empty()) {
    into.value = sum(into.value, number(part));
  }
}

/// Reads what an address adds up: R2.64+UR4+0x10.
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

/// Reads c[0x0][0x210]. The bank is in the upper 32 bits of the value.
Operand constant(std::string_view text) {
  const std::size_t begin = text.rfind('[') + 1;
  Operand made = address(text.substr(begin, text.rfind(']') - begin));
  made.kind = Kind::constant;
  made.value = sum(made.value, number(text.substr(2, text.find(']') - 2)) << 32);
  return made;
}

Operand special(std::string_view name) {
  using Name = std::pair<std::string_view, Special>;
  constexpr std::array known = {
      Name{"SR_TID.X", Special::thread_x},
      Name{"SR_TID.Y", Special::thread_y},
      Name{"SR_TID.Z", Special::thread_z},
      Name{"SR_CTAID.X", Special::block_x},
      Name{"SR_CTAID.Y", Special::block_y},
      Name{"SR_CTAID.Z", Special::block_z},
      Name{"SR_LANEID", Special::lane},
      Name{"SR_LTMASK", Special::lanes_below},
      Name{"SR_LEMASK", Special::lanes_to_here},
      Name{"SR_GEMASK", Special::lanes_from_here},
      Name{"SR_GTMASK", Special::lanes_above},
      Name{"SR_EQMASK", Special::lane_bit},
      Name{"SR_CgaCtaId", Special::zero},
      Name{"SR_SWINHI", Special::zero},
      Name{"SRZ", Special::zero},
  };
  Operand made;
  made.kind = Kind::special;
  const auto* const found = std::ranges::find(known, name, &Name::first);
  made.special = found == known.end() ? Special::unknown : found->second;
  return made;
}

/// What the letters before a register's number say.
struct Letters {
  std::string_view text;
  Kind kind;
  int none;  ///< the number of the register that holds nothing
};
// UR comes before R, and UP before P, because the first that fits counts.
constexpr std::array letters = {
    Letters{"UR", Kind::uniform, 63}, Letters{"UP", Kind::uniform_predicate, 7},
    Letters{"R", Kind::reg, 255},     Letters{"P", Kind::predicate, 7},
    Letters{"B", Kind::barrier, 15},
};

bool is_register(std::string_view text, std::string_view with) {
  if (!text.starts_with(with) || text.size() == with.size()) return false;
  const char next = text[with.size()];
  return is_digit(next) || next == 'Z' || next == 'T';
}

/// Reads which halves or bytes of a register are meant: R0.H1_H1, R0.B3.
void add_part(Operand& into, std::string_view text) {
  const auto names = [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (names(".H0_H0")) into.halves = {0, 0};
  if (names(".H1_H1")) into.halves = {1, 1};
  for (const char digit : {'1', '2', '3'}) {
    if (names(std::string(".B") + digit)) into.byte = digit - '0';
  }
  if (text.ends_with(".H1")) into.byte = 2;
}

/// Reads a register, a predicate or a number, without what may stand before it.
Operand plain(std::string_view text, Precision precision) {
  Operand made;
  made.kind = Kind::other;
  for (const Letters& it : letters) {
    if (!is_register(text, it.text)) continue;
    made.kind = it.kind;
    made.index = register_number(text.substr(it.text.size()), it.none);
    made.is_wide = it.kind == Kind::reg && text.find(".64") != std::string_view::npos;
    made.is_reused = it.kind == Kind::reg && text.find(".reuse") != std::string_view::npos;
    return made;
  }
  const bool is_number = !text.empty() && (is_digit(text[0]) || text[0] == '-' || text[0] == '+');
  if (is_number) {
    made.kind = Kind::number;
    made.value = number(text, precision);
  }
  return made;
}

/// Whether a minus is that of an operand, not of a number.
bool negates(std::string_view text) {
  return text.size() > 1 && text[0] == '-' &&
         (text[1] == 'R' || text[1] == 'U' || text[1] == '|' || text[1] == 'c');
}

}  // namespace

Operand read_operand(std::string_view text, Precision precision) {
  text = trimmed(text);
  if (text.starts_with("desc[")) text = text.substr(text.find(']') + 1);
  if (text.starts_with("[")) return address(text.substr(1, text.find(']') - 1));
  if (text.starts_with("SR")) return special(text);
  Operand made;
  if (text.starts_with("c[")) {
    made = constant(text);
  } else if (text.starts_with("`(")) {
    made.kind = Kind::label;
  } else if (text.starts_with("!") || negates(text)) {
    made = read_operand(text.substr(1), precision);
    made.is_negated = true;
  } else if (text.starts_with("~")) {
    made = read_operand(text.substr(1), precision);
    made.is_inverted = true;
  } else if (text.starts_with("|")) {
    made = read_operand(text.substr(1, text.rfind('|') - 1), precision);
    made.is_absolute = true;
  } else {
    made = plain(text, precision);
  }
  add_part(made, text);
  return made;
}

}  // namespace tilelab::estimator
