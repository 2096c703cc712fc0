#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// What a GPU's counters counted in the cases: h200.csv, which measure.py writes.
namespace tilelab::calibration {

class Measured {
 public:
  explicit Measured(const std::string& csv_file);

  bool has(const std::string& case_name) const { return counts_.count(case_name) == 1; }
  /// The count, or 0 if the file has no such row, because measure.py leaves out zeros.
  std::uint64_t count(const std::string& case_name, const std::string& metric) const;
  /// Where, when and with which versions it was measured: lines such as "GPU: NVIDIA H200".
  const std::vector<std::string>& provenance() const { return provenance_; }
  std::vector<std::string> case_names() const;

 private:
  std::map<std::string, std::map<std::string, std::uint64_t>> counts_;
  std::vector<std::string> provenance_;
};

}  // namespace tilelab::calibration
