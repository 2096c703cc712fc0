#include "cases.h"

#include <algorithm>

// The linker defines these as the list's begin and end.
using Listing = void (*)(tilelab::calibration::Take);
extern "C" const Listing __start_calibration_cases[];
extern "C" const Listing __stop_calibration_cases[];

namespace tilelab::calibration {
namespace {

std::vector<Case>& collected() {
  static std::vector<Case> cases;
  return cases;
}

bool by_name(const Case& a, const Case& b) { return a.name < b.name; }

}  // namespace

const std::vector<Case>& cases() {
  static const bool is_complete = [] {
    for (const Listing* list = __start_calibration_cases; list != __stop_calibration_cases;
         ++list) {
      (*list)([](const Case& each) { collected().push_back(each); });
    }
    std::sort(collected().begin(), collected().end(), by_name);
    return true;
  }();
  static_cast<void>(is_complete);
  return collected();
}

}  // namespace tilelab::calibration
