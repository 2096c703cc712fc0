// 7: device code cannot call get, which is a host function

struct Body {
  int x = 0;
  int get() const { return x; }
};
__global__ void kernel(Body* body, int* out) { *out = body->get(); }
