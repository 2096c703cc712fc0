// Kernels for df/dx, against float64: the worked example of the lab `derivatives`, and the one at
// the limit.

#include "gradient.h"
#include "judge/catch_session.h"
#include "kernel_run.h"

void derivative_x_small_pencils(const float* f, float* df, int mx, int my, int mz, float spacing);
void derivative_x_large_pencils(const float* f, float* df, int mx, int my, int mz, float spacing);

namespace {

using namespace derivatives;

void check(decltype(derivative_x) function, const Problem& p, std::size_t offset = 0) {
  const Grid& g = p.grid;
  INFO("mx, my, mz = " << g.mx << ", " << g.my << ", " << g.mz);
  const DeviceField f(p.f, offset), df(p.f.size(), offset);
  run([&] { function(f, df, g.mx, g.my, g.mz, p.spacing); });
  check(p, df.values());
}

}  // namespace

TEST_CASE("derivative_x, the worked example, is right with small and with large pencils") {
  const Problem p = noise(Axis::x, GENERATE(Grid{9, 9, 9}, Grid{63, 5, 7}, Grid{64, 10, 9},
                                            Grid{65, 31, 9}, Grid{130, 9, 11}, Grid{9, 65'540, 1}));
  check(derivative_x_small_pencils, p);
  check(derivative_x_large_pencils, p);
}

TEST_CASE("derivative_x at the limit is right, where float4 divides a row and where not") {
  const Problem p = noise(
      Axis::x, GENERATE(Grid{9, 9, 9}, Grid{12, 9, 9}, Grid{124, 5, 7}, Grid{128, 10, 9},
                        Grid{132, 31, 9}, Grid{260, 9, 11}, Grid{257, 9, 11}, Grid{12, 65'540, 1}));
  check(derivative_x, p);
}

TEST_CASE("derivative_x at the limit is right with arrays that a float4 cannot reach") {
  check(derivative_x, noise(Axis::x, {128, 10, 9}), 1);
}

int main(int argc, char** argv) { return tilelab::run_catch(argc, argv); }
