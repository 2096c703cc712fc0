// What a submission of the lab `own_types` has to do.

#include <vector>

#include "judge/lab.h"
#include "reference.h"

using own_types::Choice;
using own_types::Tints;
using tilelab::InOut;
using tilelab::Output;
using tilelab::Random;
using tilelab::Returned;
using tilelab::Submission;
using tilelab::judge::Pattern;
using tilelab::judge::WrongElements;

namespace {

constexpr float factor = 3;
constexpr unsigned char limit = 99;

const tilelab::TrafficMetric atomics_per_pixel = {
    "atomics_per_pixel", "atomic operations on global memory per pixel",
    [](const tilelab::judge::Cost& cost) { return cost.kernels.global_atomics.thread_accesses; },
    [](const tilelab::judge::Problem& problem) { return static_cast<double>(problem.elements); }};

std::vector<float> row(int n) {
  return Random(static_cast<std::uint64_t>(n)).reals(static_cast<std::size_t>(n), 1, 2);
}

std::vector<unsigned char> random_image(int n) {
  return Random(static_cast<std::uint64_t>(n)).integers<unsigned char>(static_cast<std::size_t>(n));
}

std::vector<double> field(const Grid& grid) {
  Random random(static_cast<std::uint64_t>(grid.nx));
  std::vector<double> f;
  for (int i = 0; i < grid.nx * grid.ny; ++i) f.push_back(random.real(-1, 1));
  return f;
}

bool check_scaled(const InOut<float>& values) {
  const auto twice = [&](const WrongElements<float>& elements) -> Pattern {
    const auto is_twice = [&](std::size_t, float got, float expected) {
      return got == factor * expected;
    };
    if (!elements.all(is_twice)) return {};
    return {"twice", "Each wrong element has twice the factor that it should have."};
  };
  return tilelab::check_equal(values, own_types::scaled(values.initial(), factor), twice);
}

bool check_laplacian(const Output<double>& result, const std::vector<double>& expected) {
  tilelab::Rule<double> rule;
  rule.right = [](double got, double want) { return std::abs(got - want) <= 1e-10; };
  return tilelab::check_elements<double>(result, expected, rule);
}

/// The arrays of a call of pick().
struct Picked {
  Choice choice;
  Output<Particle> out;
  Output<std::uint64_t> keys;
  Returned<double> mass{"pick"};

  explicit Picked(int n)
      : choice(n), out("out", choice.in.size()), keys("keys", choice.in.size()) {}

  bool check() const {
    tilelab::Rule<Particle> rule;
    rule.right = [](const Particle& a, const Particle& b) { return own_types::operator==(a, b); };
    return tilelab::check_elements<Particle>(out, choice.out, rule) &&
           tilelab::check_equal(keys, choice.keys) && tilelab::check_returned(mass, choice.mass);
  }
};

/// The arrays of a call of tint().
struct Tinted {
  Tints tints;
  InOut<uchar4> pixels;
  Output<short> sums;
  Output<unsigned char> odd;

  explicit Tinted(int n)
      : tints(n),
        pixels("pixels", tints.pixels),
        sums("sums", tints.sums.size()),
        odd("odd", tints.odd.size()) {}

  bool check() const {
    return tilelab::check_equal(pixels, tints.tinted) && tilelab::check_equal(sums, tints.sums) &&
           tilelab::check_equal(odd, tints.odd);
  }
};

}  // namespace

TEST_CASE("scale is right", "[correctness]") {
  const int n = GENERATE(1, 255, 257, 1000, 0);
  INFO("n = " << n);
  InOut<float> values("values", row(n));
  Submission().call<scale>(values, factor, n);
  check_scaled(values);
}

TEST_CASE("scale_from_host is right", "[correctness]") {
  const int n = GENERATE(0, 1, 1000);
  InOut<float> values("values", row(n));
  Submission().call<scale_from_host>(values, factor, n);
  check_scaled(values);
}

TEST_CASE("laplace is right", "[correctness]") {
  const Grid grid = {GENERATE(1, 33), 20, 0.5, 7};
  const std::vector<double> f = field(grid);
  Output<double> result("result", f.size());
  Submission().call<laplace>(f, result, grid);
  check_laplacian(result, own_types::laplacian(f, grid));
}

TEST_CASE("count_bright is right", "[correctness]") {
  const int n = GENERATE(0, 1, 33, 70'000);
  const std::vector<unsigned char> image = random_image(n);
  Returned<int> count("count_bright");
  Submission().call<count_bright>(image, limit, n, count);
  tilelab::check_returned(count, own_types::bright_ones(image, limit));
}

TEST_CASE("pick is right", "[correctness]") {
  const int n = GENERATE(1, 500);
  Picked picked(n);
  Submission().call<pick>(picked.choice.in, picked.choice.chosen, picked.out, picked.keys, n,
                          picked.mass);
  picked.check();
}

TEST_CASE("tint is right", "[correctness]") {
  const int n = GENERATE(1, 500);
  Tinted tinted(n);
  Submission().call<tint>(tinted.pixels, tinted.sums, tinted.odd, n);
  tinted.check();
}

TEST_CASE("scale is safe", "[safety]") {
  const int n = tilelab::draw_size(250, 300);
  InOut<float> values("values", row(n));
  tilelab::check_safe<scale>([&] { return check_scaled(values); }, values, factor, n);
}

TEST_CASE("laplace is safe", "[safety]") {
  const Grid grid = {tilelab::draw_size(15, 20), 20, 0.5, 7};
  const std::vector<double> f = field(grid);
  Output<double> result("result", f.size());
  const auto check = [&] { return check_laplacian(result, own_types::laplacian(f, grid)); };
  tilelab::check_safe<laplace>(check, f, result, grid);
}

TEST_CASE("count_bright is safe", "[safety]") {
  const int n = tilelab::draw_size(300, 400);
  const std::vector<unsigned char> image = random_image(n);
  Returned<int> count("count_bright");
  const auto check = [&] {
    return tilelab::check_returned(count, own_types::bright_ones(image, limit));
  };
  tilelab::check_safe<count_bright>(check, image, limit, n, count);
}

TEST_CASE("pick is safe", "[safety]") {
  const int n = tilelab::draw_size(300, 400);
  Picked picked(n);
  tilelab::check_safe<pick>([&] { return picked.check(); }, picked.choice.in, picked.choice.chosen,
                            picked.out, picked.keys, n, picked.mass);
}

TEST_CASE("tint is safe", "[safety]") {
  const int n = tilelab::draw_size(300, 400);
  Tinted tinted(n);
  tilelab::check_safe<tint>([&] { return tinted.check(); }, tinted.pixels, tinted.sums, tinted.odd,
                            n);
}

TEST_CASE("scale loads each value once", "[memory]") {
  const int n = tilelab::draw_size(9'000, 11'000);
  InOut<float> values("values", row(n));
  const auto traffic =
      tilelab::observe_traffic<scale>([&] { return check_scaled(values); }, values, factor, n);
  if (!traffic) return;
  traffic->check_at_most(1.1, tilelab::loads_per_element);
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
}

TEST_CASE("count_bright counts in shared memory", "[memory]") {
  const int n = tilelab::draw_size(9'000, 11'000);
  const std::vector<unsigned char> image = random_image(n);
  Returned<int> count("count_bright");
  const auto check = [&] {
    return tilelab::check_returned(count, own_types::bright_ones(image, limit));
  };
  const auto traffic = tilelab::observe_traffic<count_bright>(check, image, limit, n, count);
  if (traffic) traffic->check_at_most(1.1, atomics_per_pixel);
}

TEST_CASE("pictures of own_types", "[show]") {
  const int n = tilelab::picture_size(6, 1, 100);
  InOut<float> values("values", row(n));
  tilelab::draw_picture<scale>(
      {},
      [&] {
        return std::vector{
            tilelab::pictured_output(values, own_types::scaled(values.initial(), factor))};
      },
      values, factor, n);
  Tinted tinted(n);
  tilelab::draw_picture<tint>(
      {},
      [&] {
        return std::vector{tilelab::pictured_output(tinted.pixels, tinted.tints.tinted),
                           tilelab::pictured_output(tinted.sums, tinted.tints.sums),
                           tilelab::pictured_output(tinted.odd, tinted.tints.odd)};
      },
      tinted.pixels, tinted.sums, tinted.odd, n);
  Picked picked(n);
  const Choice& choice = picked.choice;
  tilelab::draw_picture<pick>(
      {},
      [&] {
        return std::vector{tilelab::pictured_output(picked.out, choice.out),
                           tilelab::pictured_output(picked.keys, choice.keys),
                           tilelab::pictured_output(picked.mass, choice.mass)};
      },
      choice.in, choice.chosen, picked.out, picked.keys, n, picked.mass);
}
