#include "judge/traffic/figures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include "judge/options.h"
#include "judge/worker/errors.h"
#include "judge/write_event.h"

namespace tilelab::judge {
namespace {

// Between two sizes that were written down, traffic changes little.
constexpr double most_difference = 0.05;

using Sizes = std::vector<double>;
/// By function and metric.
using Figures = std::map<std::pair<std::string, std::string>, std::map<Sizes, double>>;

std::pair<std::string, Sizes> parsed(const std::string& call) {
  std::istringstream words(call);
  std::string function;
  words >> function;
  return {function, Sizes(std::istream_iterator<double>(words), {})};
}

Figures read_figures() {
  Figures figures;
  if (options().figures.empty()) return figures;
  std::ifstream file(options().figures);
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t value = line.rfind(' ');
    const std::size_t metric = line.rfind(' ', value - 1);
    if (value == std::string::npos || metric == std::string::npos) {
      throw InfrastructureError(options().figures.string() + ": this is no figure: " + line);
    }
    const auto [function, sizes] = parsed(line.substr(0, metric));
    const std::string name = line.substr(metric + 1, value - metric - 1);
    figures[{function, name}][sizes] = std::strtod(&line[value], nullptr);
  }
  if (!file.eof()) {
    throw InfrastructureError(options().figures.string() + " cannot be read");
  }
  return figures;
}

double difference(const Sizes& a, const Sizes& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(a[i])));
  }
  return most;
}

}  // namespace

std::string sizes_of(const Function& function, const std::vector<CallArgument>& arguments) {
  std::ostringstream text;
  text << function.name;
  for (const CallArgument& argument : arguments) {
    if (wire::is_array(argument.role)) text << ' ' << argument.bytes / argument.element_bytes;
    for (const std::string& number : argument.whole_numbers) text << ' ' << number;
  }
  return text.str();
}

std::optional<double> known_figure(const std::string& call, const std::string& metric) {
  static const Figures figures = read_figures();
  const auto parts = parsed(call);
  const Sizes& sizes = parts.second;
  const auto found = figures.find({parts.first, metric});
  if (found == figures.end()) return std::nullopt;
  const auto nearest = std::min_element(
      found->second.begin(), found->second.end(), [&](const auto& a, const auto& b) {
        return difference(sizes, a.first) < difference(sizes, b.first);
      });
  if (difference(sizes, nearest->first) > most_difference) return std::nullopt;
  return nearest->second;
}

void report_figure(const std::string& call, const std::string& metric, double value) {
  char digits[32];
  const std::string exact(digits, std::to_chars(digits, std::end(digits), value).ptr);
  write_event(schema::Figure{call, metric, exact});
}

}  // namespace tilelab::judge
