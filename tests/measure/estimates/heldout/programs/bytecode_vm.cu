#include "timed.h"

enum Operation : uint32_t { add, subtract, times, exclusive_or, shift, least, loop, stop };
constexpr int registers = 8, program_length = 12;

__host__ __device__ inline uint32_t interpret(const uint32_t* program, uint32_t input) {
  uint32_t r[registers];
  for (int i = 0; i < registers - 1; i++) r[i] = input * (2 * i + 1);
  r[registers - 1] = 16 + input % 64;  // how often the loop runs
  for (int at = 0;;) {
    const uint32_t code = program[at++];
    const uint32_t to = (code >> 8) & 7;
    const uint32_t a = r[(code >> 16) & 7], b = r[(code >> 24) & 7];
    switch (code & 255) {
      case add:
        r[to] = a + b;
        break;
      case subtract:
        r[to] = a - b;
        break;
      case times:
        r[to] = a * b;
        break;
      case exclusive_or:
        r[to] = a ^ b;
        break;
      case shift:
        r[to] = a >> (b & 15);
        break;
      case least:
        r[to] = a < b ? a : b;
        break;
      case loop:
        if (--r[registers - 1] != 0) at = 0;
        break;
      default:
        return r[0] ^ r[1] ^ r[2];
    }
  }
}

extern "C" __global__ void bytecode_vm_kernel(const uint32_t* programs, const uint32_t* which,
                                              const uint32_t* inputs, uint32_t* results,
                                              int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) results[i] = interpret(programs + which[i] * program_length, inputs[i]);
}

int main() {
  const int programs = 24, count = 1 << 16;
  Random random{47};
  std::vector<uint32_t> code(programs * program_length), which(count), inputs(count);
  for (int p = 0; p < programs; p++) {
    const int length = 4 + random.below(program_length - 5);
    uint32_t* program = &code[p * program_length];
    for (int i = 0; i < length; i++) {
      program[i] = random.below(6) | random.below(registers - 1) << 8 |
                   random.below(registers - 1) << 16 | random.below(registers - 1) << 24;
    }
    program[length] = loop;
    program[length + 1] = stop;
  }
  // Eight threads in a row run the same program.
  for (int i = 0; i < count; i++) {
    which[i] = i % 8 == 0 ? random.below(programs) : which[i - 1];
    inputs[i] = random.next();
  }
  uint32_t* d_code = upload(code);
  uint32_t* d_which = upload(which);
  uint32_t* d_inputs = upload(inputs);
  uint32_t* d_results = allocate<uint32_t>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               bytecode_vm_kernel<<<shape.grid, shape.block>>>(
                                   d_code, d_which, d_inputs, d_results, count);
                             });
  const auto results = download(d_results, count);
  for (int i = 0; i < count; i += 7) {
    expect(results[i] == interpret(&code[which[i] * program_length], inputs[i]));
  }
  report("bytecode_vm", "bytecode_vm_kernel", shape, times, checksum(results));
}
