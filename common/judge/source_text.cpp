#include "judge/source_text.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "judge/options.h"
#include "report/texts.h"

namespace tilelab::judge {
namespace {

constexpr std::size_t longest = 80;

const std::vector<std::string>& source_lines() {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> all;
    std::istringstream text(submission_text());
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }();
  return lines;
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  const std::size_t last = line.find_last_not_of(" \t\r");
  const std::string text = line.substr(first, last - first + 1);
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

}  // namespace

const std::string& submission_text() {
  static const std::string text = [] {
    std::ifstream file(options().source);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return text;
}

unsigned submission_line(const report::SourcePlace& place) {
  const std::string name = std::filesystem::path(place.file).filename();
  const bool is_in_it = name == options().source.filename() && place.line <= source_lines().size();
  return is_in_it ? place.line : 0;
}

bool is_in_submission(const report::SourcePlace& place) { return submission_line(place) > 0; }

std::string source_line(const report::SourcePlace& place) {
  const unsigned line = submission_line(place);
  return line == 0 ? "" : trimmed(source_lines()[line - 1]);
}

std::string show(const report::SourcePlace& place) {
  const std::string code = source_line(place);
  return report::file_and_line(place) + (code.empty() ? "" : " `" + code + "`");
}

}  // namespace tilelab::judge
