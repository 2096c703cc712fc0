// Whole kernels compute what their source says.

#include <bit>
#include <cmath>
#include <limits>

#include "judge/catch.h"
#include "snippet.h"

using namespace tilelab::estimator;

namespace {

constexpr std::uint64_t first_in = 0x7f0000000000, second_in = 0x7f0001000000;
constexpr std::uint64_t first_out = 0x7f0002000000, second_out = 0x7f0003000000;

Memory make_memory() {
  return Memory({{first_in, 1 << 20, Contents::bits},
                 {second_in, 1 << 20, Contents::bits},
                 {first_out, 1 << 20, Contents::zeros},
                 {second_out, 1 << 20, Contents::zeros}});
}

template <class... T>
void execute(const std::string& name, Memory& memory, std::uint32_t blocks, T... parameters) {
  const Function function = kernel_in_file(name);
  const Kernel kernel{32, 2048};
  Launch launch;
  launch.kernel = name;
  launch.grid = {blocks, 1, 1};
  launch.block = {256, 1, 1};
  (add_parameter(launch.parameters, parameters), ...);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    execute_block({function, launch, kernel, memory}, i, {1'000'000, 1'000'000});
  }
}

std::uint32_t element(const Memory& memory, std::uint64_t array, std::uint64_t i) {
  return memory.load(array + 4 * i, 4);
}

}  // namespace

TEST_CASE("the kernel diff computes differences") {
  Memory memory = make_memory();
  constexpr int n = 1000;
  execute("diff", memory, 4, first_in, first_out, n);
  int wrong = element(memory, first_out, n) != 0 ? 1 : 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t before = i == 0 ? 0 : element(memory, first_in, i - 1);
    wrong += element(memory, first_out, i) != element(memory, first_in, i) - before;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the kernel reduction adds all elements") {
  Memory memory = make_memory();
  execute("reduction", memory, 3, first_in, first_out);
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < 768; ++i) sum += element(memory, first_in, i);
  CHECK(element(memory, first_out, 0) == sum);
}

TEST_CASE("the kernel histogram counts bytes") {
  Memory memory = make_memory();
  constexpr int n = 3000;
  execute("histogram", memory, 2, first_in, first_out, n);
  std::array<std::uint32_t, 256> counts{};
  for (std::uint64_t i = 0; i < n; ++i) ++counts[memory.load(first_in + i, 1)];
  int wrong = 0;
  for (std::uint64_t i = 0; i < 256; ++i) wrong += element(memory, first_out, i) != counts[i];
  CHECK(wrong == 0);
}

TEST_CASE("the kernel division divides") {
  Memory memory = make_memory();
  constexpr int n = 777;
  execute("division", memory, 4, first_in, second_in, first_out, second_out, n);
  int wrong_quotients = 0, wrong_rests = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto a = static_cast<std::int32_t>(element(memory, first_in, i));
    const std::uint32_t b = element(memory, second_in, i);
    const std::uint32_t divisor = element(memory, second_in, n - 1 - i) | 1U;
    wrong_quotients += element(memory, first_out, i) != static_cast<std::uint32_t>(a / n);
    wrong_rests += element(memory, second_out, i) != b % divisor;
  }
  CHECK(wrong_quotients == 0);
  CHECK(wrong_rests == 0);
}

TEST_CASE("the kernel double_division divides and takes roots") {
  // Any bits: some numbers are subnormal, infinite or NaN, and many quotients too large.
  Memory memory = make_memory();
  constexpr int n = 1000;
  const auto real = [&](std::uint64_t array, std::uint64_t i) {
    return std::bit_cast<double>(element(memory, array, 2 * i) |
                                 std::uint64_t{element(memory, array, 2 * i + 1)} << 32U);
  };
  const std::vector<double> special{0.0,
                                    -0.0,
                                    1.0,
                                    3.0,
                                    0x1p-1074,
                                    0x1p-1022,
                                    0x1.8p1023,
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < special.size() * special.size(); ++i) {
    const auto store = [&](std::uint64_t array, double value) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      memory.store(array + 8 * i, static_cast<std::uint32_t>(bits), 4);
      memory.store(array + 8 * i + 4, static_cast<std::uint32_t>(bits >> 32U), 4);
    };
    store(first_in, special[i / special.size()]);
    store(second_in, special[i % special.size()]);
  }
  execute("double_division", memory, 4, first_in, second_in, first_out, second_out, n);
  const auto is_same = [](double got, double wanted) {
    return (std::isnan(got) && std::isnan(wanted)) ||
           std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(wanted);
  };
  int wrong_quotients = 0, wrong_roots = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double a = real(first_in, i), b = real(second_in, i);
    wrong_quotients += is_same(real(first_out, i), a / b) ? 0 : 1;
    wrong_roots += is_same(real(second_out, i), std::sqrt(std::fabs(a))) ? 0 : 1;
  }
  CHECK(wrong_quotients == 0);
  CHECK(wrong_roots == 0);
}
