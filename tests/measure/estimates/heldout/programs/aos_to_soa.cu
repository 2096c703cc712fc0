#include "timed.h"

struct Particle {
  float x, y, z, vx, vy, vz, mass;
};

extern "C" __global__ void aos_to_soa_kernel(const Particle* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Particle particle = in[i];
  out[i] = particle.x;
  out[count + i] = particle.y;
  out[2 * count + i] = particle.z;
  out[3 * count + i] = particle.vx;
  out[4 * count + i] = particle.vy;
  out[5 * count + i] = particle.vz;
  out[6 * count + i] = particle.mass;
}

int main() {
  const int count = 4 << 20;
  Random random{31};
  std::vector<Particle> in(count);
  for (auto& p : in) {
    p = {random.unit(), random.unit(), random.unit(), random.unit(),
         random.unit(), random.unit(), random.unit()};
  }
  Particle* d_in = upload(in);
  float* d_out = allocate<float>(size_t(7) * count);
  const Shape shape{count / 256, 256};
  const auto times =
      measure([] {}, [&] { aos_to_soa_kernel<<<shape.grid, shape.block>>>(d_in, d_out, count); });
  const auto out = download(d_out, size_t(7) * count);
  for (int i = 0; i < count; i++) {
    expect(out[i] == in[i].x && out[size_t(3) * count + i] == in[i].vx &&
           out[size_t(6) * count + i] == in[i].mass);
  }
  report("aos_to_soa", "aos_to_soa_kernel", shape, times, checksum(out));
}
