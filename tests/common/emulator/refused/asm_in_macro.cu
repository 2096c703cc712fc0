// 5: inline assembly (PTX) is not supported
#define JOIN(a, b) a##b
__global__ void k(int* p) {
  *p = 1;
  JOIN(__as, m__)("");
}
