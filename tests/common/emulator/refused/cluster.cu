// 4: this_cluster is not supported
#include <cooperative_groups.h>
__global__ void k() {
  cooperative_groups::this_cluster().sync();
}
