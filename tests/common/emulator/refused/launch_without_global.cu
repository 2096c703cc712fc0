// 4: kernel is launched like a kernel, but it is none

void kernel(int* out) { *out = 1; }
void run(int* out) { kernel<<<1, 1>>>(out); }
