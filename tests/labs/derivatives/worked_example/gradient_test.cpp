// All three derivatives at once, against float64. Linked with one of the ways to make them.

#include "gradient.h"

#include "judge/catch_session.h"
#include "kernel_run.h"

namespace {

using namespace derivatives;

void check_gradient(const Grid& grid, std::size_t offset = 0) {
  INFO("mx, my, mz = " << grid.mx << ", " << grid.my << ", " << grid.mz);
  Problem p = noise(Axis::x, grid);
  const std::size_t size = grid.size();
  const DeviceField f(p.f, offset), x(size, offset), y(size, offset), z(size, offset);
  run([&] { gradient(f, x, y, z, grid.mx, grid.my, grid.mz, p.spacing); });
  check(p, x.values());
  p.axis = Axis::y;
  check(p, y.values());
  p.axis = Axis::z;
  check(p, z.values());
}

}  // namespace

TEST_CASE("gradient is right on the smallest grids") {
  check_gradient(GENERATE(Grid{9, 9, 9}, Grid{10, 9, 9}, Grid{12, 10, 11}));
}

TEST_CASE("gradient is right on and off the edges of tiles") {
  check_gradient(GENERATE(Grid{64, 32, 32}, Grid{60, 31, 33}, Grid{68, 33, 31}, Grid{132, 30, 9},
                          Grid{128, 67, 12}, Grid{65, 33, 10}, Grid{62, 15, 17}, Grid{66, 17, 15},
                          Grid{70, 16, 47}));
}

TEST_CASE("gradient is right on long thin grids") {
  check_gradient(GENERATE(Grid{3004, 9, 10}, Grid{12, 3001, 9}, Grid{12, 9, 3001}));
}

TEST_CASE("gradient is right with arrays that a vector load cannot reach") {
  check_gradient({64, 33, 10}, 1);
}

int main(int argc, char** argv) { return tilelab::run_catch(argc, argv); }
