// 4: the kernel run is a member of a class

struct Kernels {
  static __global__ void run(int* out) { *out = 1; }
};
