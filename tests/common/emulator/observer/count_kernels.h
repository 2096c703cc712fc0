#pragma once

#include <cuda_runtime.h>

void copy(const float* in, float* out, int stride, int offset, int blocks, int threads);
void copy_float2(const float2* in, float2* out);
void copy_float3(const float3* in, float3* out);
void copy_float4(const float4* in, float4* out);
void copy_double2(const double2* in, double2* out);
void broadcast(const float* in, float* out);
void add(float* a);
void use_table(float* a);
void look_up(float* a);
/// Both copy 16 bytes to constant memory: from a constant of the host, and from device memory.
void fill_table_from_host();
void fill_table_from_device();
void count_atomically(int* counter, int* bins);
void update_atomically(int* counter, int* bins);
void add_in_shared(unsigned* out);
void transpose(const float* in, float* out, bool padded);
void shared_float2(float2* out, int stride);
void shared_pairs(float4* out, int bit);
void shared_unlike_pairs(float4* out);
void shared_float4(float4* out, int stride);
void diverge(const int* in, int* out);
void lane_trips(const int* in, int* out);
void empty_rounds(const int* in, int* out);
void skip_some(const int* in, int* out);
void early_return(const int* in, int* out, int n);
void reduce(const int* in, int* out, int blocks);
enum class Unlike { loads, stores, barriers, words };
void launch_unlike(const int* in, int* out, int blocks, int block, Unlike unlike);
void shuffle(const int* in, int* out);
void run_long(const int* in, int* out, int n);
void run_long_atomic(int* sums, int n, int rounds);
void use_dynamic(float* out);
void copy_structs(const void* in, void* out);
void copy_plain_structs(const void* in, void* out);
void call_function(const int* in, int* out);
void shifted(const float* in, float* out);
void shared_broadcast(float* out);
void rounds_apart(const int* in, int* out);
void use_local(const int* in, int* out);
void copy_async(const int* in, int* out);
/// Each lane copies an element to shared memory, with zeros after it, and zeros alone.
void copy_part(const int* in, int* out);
void copy_bulk(const int* in, int* out);
/// Copies 64 bytes, from the middle of a sector on.
void copy_bulk_piece(const int* in, int* out);
/// Each lane copies a sector in two pieces.
void copy_bulk_pieces(const int* in, int* out);
/// Each lane reads `words` neighbors from `pitch * lane` on, up to `turn` of them before a barrier
/// and the others after it.
void read_neighbors(float* out, int pitch, int words, int turn);
/// Each lane reads the three members of the first four points.
void read_points(float* out);
/// Each lane reads its four words of one array in turn with those of another.
void read_in_turn(float* out);
