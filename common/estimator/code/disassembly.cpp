#include "estimator/code/disassembly.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "estimator/code/function_reader.h"
#include "estimator/code/text.h"

namespace tilelab::estimator {

namespace {

/// The function whose machine code is in a section, "" for other sections.
std::string function_of_section(std::string_view line) {
  constexpr std::string_view begin = ".section\t.text.";
  if (line.size() < begin.size() || !line.substr(9).starts_with(".text.")) return {};
  const std::string_view rest = line.substr(begin.size());
  return std::string(rest.substr(0, rest.find_first_of(",\" \t")));
}

/// Takes the lines of a disassembly.
///
/// An instruction has two lines, which end in comments with the two halves of its encoding:
///
///     /*0010*/                   S2R R7, SR_TID.X ;                 /* 0x0000000000077919 */
///                                                                   /* 0x000e2a0000002100 */
class LineReader {
 public:
  void take(std::string_view line) {
    if (line.starts_with(".section")) {
      take_section(function_of_section(line));
    } else if (line.starts_with("//## File")) {
      const std::size_t at = line.find(", line ");
      if (at != std::string_view::npos) reader_.line(std::atoi(line.data() + at + 7));
    } else if (name_.empty()) {
      return;
    } else if (line.ends_with(":")) {
      reader_.label(std::string(line.substr(0, line.size() - 1)));
    } else if (line.starts_with("/*")) {
      take_instruction(line);
    }
  }

  std::vector<Function> functions() {
    reader_.end();
    return std::move(reader_.functions);
  }

 private:
  /// A function may have several sections of the same name.
  void take_section(std::string name) {
    if (name.empty()) {
      reader_.end();
    } else if (name != name_) {
      reader_.begin(name);
    }
    name_ = std::move(name);
  }

  void take_instruction(std::string_view line) {
    const std::size_t semicolon = line.find(';');
    const std::size_t hex = line.rfind("/* 0x");
    if (semicolon != std::string_view::npos) {
      const std::size_t begin = line.find("*/") + 2;
      reader_.instruction(trimmed(line.substr(begin, semicolon - begin)));
      is_second_half_ = true;
    } else if (is_second_half_ && hex != std::string_view::npos) {
      reader_.encoding(std::strtoull(line.data() + hex + 3, nullptr, 16));
      is_second_half_ = false;
    }
  }

  FunctionReader reader_;
  std::string name_;
  bool is_second_half_ = false;
};

}  // namespace

std::vector<Function> read_disassembly(std::istream& in) {
  LineReader reader;
  std::string line;
  try {
    while (std::getline(in, line)) reader.take(trimmed(line));
    return reader.functions();
  } catch (const std::out_of_range&) {  // a part is missing that the line promises
    throw std::runtime_error("this is no line of a disassembly: " + line);
  }
}

}  // namespace tilelab::estimator
