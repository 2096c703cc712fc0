// Estimates how long launches take on a GPU, from their kernels' machine code.
//
//     estimator GPU CODE LAUNCHES
//
// GPU has lines of a name and a number, which estimator/timing/gpu.h explains; what it leaves out
// is that of an H200. CODE is what `nvdisasm -c -hex` prints. estimator/estimate/job.h says what
// LAUNCHES has.
//
// Prints one line of JSON for each launch, or {"unknown": "..."} and nothing more if a kernel does
// something that the estimate does not know. Exit status: 0, 1 after "unknown", 2 if a file is
// wrong.

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "estimator/code/disassembly.h"
#include "estimator/estimate/estimate.h"
#include "estimator/estimate/estimate_json.h"
#include "estimator/estimate/job.h"
#include "estimator/execution/unknown.h"
#include "estimator/timing/gpu.h"

namespace {

using namespace tilelab::estimator;

/// Reads a file with a function. Throws Unknown, or std::runtime_error with the file's name.
template <class F>
auto read(const char* path, F&& reader) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string(path) + ": cannot be read");
  try {
    return reader(file);
  } catch (const Unknown&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(path) + ": " + error.what());
  }
}

const Function& function_named(const std::string& name, const std::vector<Function>& functions) {
  const auto found = std::ranges::find(functions, name, &Function::name);
  if (found == functions.end()) throw Unknown("there is no machine code of the kernel " + name);
  return *found;
}

void print_estimates(const Gpu& gpu, const std::vector<Function>& functions, const Job& job) {
  Estimator estimator(gpu, job.arrays);
  for (const Launch& launch : job.launches) {
    const Function& function = function_named(launch.kernel, functions);
    const auto kernel = job.kernels.find(launch.kernel);
    if (kernel == job.kernels.end()) {
      throw Unknown("the resources of the kernel " + launch.kernel + " are not known");
    }
    std::cout << to_json(json_of(estimator.next(function, launch, kernel->second))) << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: estimator GPU CODE LAUNCHES\n";
    return 2;
  }
  try {
    const Gpu gpu = read(argv[1], read_gpu);
    const std::vector<Function> functions = read(argv[2], read_disassembly);
    const Job job = read(argv[3], read_job);
    print_estimates(gpu, functions, job);
  } catch (const Unknown& what) {
    tilelab::report::JsonObject unknown;
    unknown.add("unknown", std::string(what.what()));
    std::cout << to_json(unknown) << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "estimator: " << error.what() << '\n';
    return 2;
  }
}
