// 3: __cluster_dims__ of a kernel template is not supported by the emulator
template <int n>
__global__ void __cluster_dims__(n) k() {}
int main() { k<2><<<4, 32>>>(); }
