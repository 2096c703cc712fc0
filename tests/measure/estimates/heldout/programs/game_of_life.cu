#include "timed.h"

extern "C" __global__ void game_of_life_kernel(const uint8_t* in, uint8_t* out, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // The world is a torus; `size` is a power of two.
  const int mask = size - 1;
  const int west = (x - 1) & mask, east = (x + 1) & mask;
  const int north = ((y - 1) & mask) * size, here = y * size, south = ((y + 1) & mask) * size;
  const int neighbors = in[north + west] + in[north + x] + in[north + east] + in[here + west] +
                        in[here + east] + in[south + west] + in[south + x] + in[south + east];
  out[here + x] = neighbors == 3 || (neighbors == 2 && in[here + x]);
}

int main() {
  const int size = 4096;
  Random random{28};
  std::vector<uint8_t> in(size * size);
  for (auto& cell : in) cell = random.below(3) == 0;
  uint8_t* d_in = upload(in);
  uint8_t* d_out = allocate<uint8_t>(in.size());
  const Shape shape{dim3(size / 32, size / 8), dim3(32, 8)};
  const auto times =
      measure([] {}, [&] { game_of_life_kernel<<<shape.grid, shape.block>>>(d_in, d_out, size); });
  const auto out = download(d_out, in.size());
  for (int y = 0; y < size; y += 13) {
    for (int x = 0; x < size; x += 7) {
      int neighbors = 0;
      for (int i = 0; i < 9; i++) {
        const int nx = (x + i % 3 - 1 + size) % size, ny = (y + i / 3 - 1 + size) % size;
        if (i != 4) neighbors += in[ny * size + nx];
      }
      expect(out[y * size + x] == (neighbors == 3 || (neighbors == 2 && in[y * size + x])));
    }
  }
  report("game_of_life", "game_of_life_kernel", shape, times, checksum(out));
}
