// 4: cudaMallocManaged is not supported
void f() {
  int* p;
  cudaMallocManaged(&p, 4);
}
