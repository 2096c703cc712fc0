// 3: surf2Dwrite is not supported
template <class S> __global__ void k(S s) {
  surf2Dwrite(1.0f, s, 0, 0);
}
