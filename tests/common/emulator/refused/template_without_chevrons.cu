// 7: the kernel kernel is called like a function

template <class T>
__global__ void kernel(T* out) {
  *out = 1;
}
void run(int* out) { kernel<int>(out); }
