// 3: host code cannot call __syncthreads

void run() { __syncthreads(); }
