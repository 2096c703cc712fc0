#include <algorithm>

#include "cases.h"

namespace tilelab::calibration {
namespace {

std::vector<Case>& registered() {
  static std::vector<Case> cases;
  return cases;
}

bool by_name(const Case& a, const Case& b) { return a.name < b.name; }

}  // namespace

Registration::Registration(std::vector<Case> cases) {
  registered().insert(registered().end(), cases.begin(), cases.end());
}

const std::vector<Case>& cases() {
  static const std::vector<Case> sorted = [] {
    std::vector<Case> all = registered();
    std::sort(all.begin(), all.end(), by_name);
    return all;
  }();
  return sorted;
}

}  // namespace tilelab::calibration
