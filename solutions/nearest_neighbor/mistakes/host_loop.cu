// A loop on the host: points and nearest are addresses in device memory, which the host cannot
// use.
// Test: nearest_neighbor is right for one block and less
// Says: device pointer
// Task: 1

#include <cfloat>

#include "nearest_neighbor.h"

void nearest_neighbor(const float3* points, int* nearest, int n) {
  for (int i = 0; i < n; ++i) {
    float best = FLT_MAX;
    nearest[i] = -1;
    for (int j = 0; j < n; ++j) {
      const float dx = points[i].x - points[j].x, dy = points[i].y - points[j].y;
      const float dz = points[i].z - points[j].z;
      const float distance = dx * dx + dy * dy + dz * dz;
      if (j == i || !(distance < best)) continue;
      best = distance;
      nearest[i] = j;
    }
  }
}
