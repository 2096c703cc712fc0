// 3: thrust is not supported
#include <thrust/device_vector.h>
thrust::device_vector<int> v;
