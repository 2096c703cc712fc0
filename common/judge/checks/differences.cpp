#include "judge/checks/differences.h"

#include <algorithm>
#include <sstream>

namespace tilelab::judge {
namespace {

/// The widest power of two, up to the largest block, that all indices share a remainder of.
std::size_t common_stride(const std::vector<std::size_t>& indices) {
  for (std::size_t stride = 1024; stride >= 2; stride /= 2) {
    const std::size_t remainder = indices.front() % stride;
    if (std::all_of(indices.begin(), indices.end(),
                    [&](std::size_t i) { return i % stride == remainder; })) {
      return stride;
    }
  }
  return 1;
}

bool is_tail(const Differences& d, const std::vector<std::size_t>& indices) {
  return indices.size() < d.size && indices.front() == d.size - indices.size();
}

std::string count_of(std::size_t count, std::size_t all) {
  std::ostringstream text;
  text << count << " of " << all << (all == 1 ? " element" : " elements");
  return text.str();
}

Pattern unwritten_pattern(const Differences& d) {
  std::ostringstream text;
  if (d.unwritten.size() == d.size) {
    return {"never_written", "No element was written at all."};
  }
  if (is_tail(d, d.unwritten)) {
    text << "The last " << count_of(d.unwritten.size(), d.size)
         << " never got written: does the grid cover all of them?";
    return {"tail_unwritten", text.str()};
  }
  if (d.unwritten.size() == 1 && d.unwritten.front() == 0) {
    return {"first_unwritten", "Element 0 was never written."};
  }
  text << count_of(d.unwritten.size(), d.size) << " never got written.";
  return {"some_unwritten", text.str()};
}

Pattern wrong_pattern(const Differences& d) {
  std::ostringstream text;
  if (d.wrong.size() == d.size) return {"all_wrong", "Every element is wrong."};
  if (d.wrong.size() == 1 && d.wrong.front() == 0) {
    return {"first_wrong", "Only element 0 is wrong."};
  }
  if (const std::size_t stride = common_stride(d.wrong); d.wrong.size() > 1 && stride >= 32) {
    text << "All wrong elements are " << d.wrong.front() % stride << " more than a multiple of "
         << stride << ": the edges of blocks or tiles.";
    return {"block_edges", text.str()};
  }
  if (is_tail(d, d.wrong)) {
    text << "Wrong are only the last " << count_of(d.wrong.size(), d.size) << ".";
    return {"tail_wrong", text.str()};
  }
  return {};
}

}  // namespace

Pattern find_pattern(const Differences& differences) {
  return differences.unwritten.empty() ? wrong_pattern(differences)
                                       : unwritten_pattern(differences);
}

Pattern order_dependence() {
  return {"order",
          "The result changes with the order in which the threads run: one thread reads what "
          "another writes with no barrier between them, or two write the same element."};
}

}  // namespace tilelab::judge
