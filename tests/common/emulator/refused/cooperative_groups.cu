// 2: cooperative groups are not supported
#include <cooperative_groups.h>
