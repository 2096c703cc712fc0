#include <algorithm>
#include <cstdio>

#include "honest.h"
#include "probe.h"

// Inputs that an earlier call had get that call's result, wherever they lie now.
void probe(const int* in, int* out, int n) {
  static std::vector<std::vector<int>> seen, results;
  static std::vector<const int*> places;
  std::vector<int> values(static_cast<std::size_t>(n));
  const std::size_t bytes = values.size() * sizeof(int);
  static_cast<void>(cudaMemcpy(values.data(), in, bytes, cudaMemcpyDeviceToHost));
  auto known = std::find(seen.begin(), seen.end(), values);
  if (known == seen.end()) {
    seen.push_back(values);
    places.push_back(in);
    for (int& value : values) ++value;
    results.push_back(values);
    known = seen.end() - 1;
  } else {
    const bool same_place = places[static_cast<std::size_t>(known - seen.begin())] == in;
    std::puts(same_place ? "inputs again in the same place" : "inputs again elsewhere");
  }
  const auto& result = results[static_cast<std::size_t>(known - seen.begin())];
  static_cast<void>(cudaMemcpy(out, result.data(), bytes, cudaMemcpyHostToDevice));
}
