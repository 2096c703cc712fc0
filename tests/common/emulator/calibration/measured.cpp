#include "measured.h"

#include <fstream>
#include <stdexcept>

namespace tilelab::calibration {

Measured::Measured(const std::string& csv_file) {
  std::ifstream file(csv_file);
  if (!file) throw std::runtime_error("cannot read " + csv_file);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("# ", 0) == 0) {
      if (line.find(": ") != std::string::npos) provenance_.push_back(line.substr(2));
      continue;
    }
    const auto first = line.find(','), second = line.rfind(',');
    if (first == second) throw std::runtime_error(csv_file + " has the line " + line);
    if (line.compare(second + 1, std::string::npos, "value") == 0) continue;
    counts_[line.substr(0, first)][line.substr(first + 1, second - first - 1)] =
        std::stoull(line.substr(second + 1));
  }
}

std::uint64_t Measured::count(const std::string& case_name, const std::string& metric) const {
  const auto& counts = counts_.at(case_name);
  const auto found = counts.find(metric + ".sum");
  return found != counts.end() ? found->second : 0;
}

std::vector<std::string> Measured::case_names() const {
  std::vector<std::string> names;
  for (const auto& [name, counts] : counts_) names.push_back(name);
  return names;
}

}  // namespace tilelab::calibration
