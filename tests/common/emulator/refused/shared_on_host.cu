// 4: a __shared__ variable belongs to a block, and run runs on the host

int run() {
  __shared__ int tile[4];
  return tile[0];
}
