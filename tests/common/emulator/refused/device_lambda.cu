// 8: a lambda may not be __device__

template <class Action>
__global__ void kernel(Action act, int* out) {
  act(out);
}
void run(int* out) {
  kernel<<<1, 1>>>([] __device__(int* to) { *to = 1; }, out);
}
