// launch_rewriter [--extended-lambda] SOURCE [DEVICE] < preprocessed > rewritten
//
// Turns preprocessed CUDA C++ into plain C++. Reads SOURCE, the file before preprocessing, to check
// that its line markers can be trusted. DEVICE is the same file preprocessed for the device, if
// that makes a difference. The option is nvcc's: lambdas may be `__device__`.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "files/device_code.h"
#include "rewrite.h"

int main(int argc, char** argv) {
  using namespace tilelab::rewriter;
  using Bytes = std::istreambuf_iterator<char>;
  std::ios::sync_with_stdio(false);
  const bool has_lambdas = argc > 1 && argv[1] == std::string_view("--extended-lambda");
  if (has_lambdas) {
    --argc;
    ++argv;
  }
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: launch_rewriter [--extended-lambda] SOURCE [DEVICE] < preprocessed > "
                 "rewritten\n";
    return 2;
  }
  std::string files[2];  // SOURCE and DEVICE
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::cerr << "launch_rewriter: cannot read " << argv[i] << '\n';
      return 2;
    }
    files[i - 1].assign(Bytes(file), Bytes());
  }
  const auto& [source, device] = files;
  std::string preprocessed{Bytes(std::cin), Bytes()};
  if (argc == 3) preprocessed = with_device_code(preprocessed, device, argv[1]);
  if (!rewrite(source, argv[1], preprocessed, has_lambdas, std::cout)) return 1;
  std::cout.flush();
  return std::cout ? 0 : 2;
}
