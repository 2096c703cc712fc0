#pragma once

#include <cuda_runtime.h>

void missing_barrier(const int* in, int* out);
void missing_second_barrier(const int* in, int* out);
void barrier_kept(const int* in, int* out);
void same_slot(int* out);
void same_flag(int* out);
void same_flag_shared(int* out);
void all_read_one_writes(int* out);
void read_long_before(int* slot, const int* in, int* out);
void last_block_writes(int* slot, int* out);
void neighbor_bytes(char* out);
void blocks_collide(int* out);
void blocks_read_each_other(int* data);
void unsafe_sum(int* sum);
void atomic_sum(int* sum);
void atomic_and_plain(int* sum, int* out);
void warp_exchange(int* out, bool synchronized);
void warp_exchange_by_shuffle(int* out);
void half_warps(int* out);
void read_unwritten(const int* in, int* out);
void read_unwritten_shared(int* out);
void read_after_write(int* scratch, int* out);
void past_the_end(int* out, int n);
void past_own_array(int n);
void past_unnamed_array(int n);
void before_the_begin(int* out);
void unsigned_below_zero(int* out);
void past_shared(int* out, int i);
void past_dynamic(int* out, int i);
void misaligned_vector(const int* in, int* out);
void misaligned_shared(int* out, int i);
void use_freed(int* out);
void write_host_memory(int* host);
void read_host_heap(const int* host, int* out);
void write_null();
void write_constant();
void past_constant(int* out, int i);
void diverge_at_barrier(int* out);
void forget_lanes(int* out);
void too_many_threads(int* out);
void leak();
void last_block_sums(const int* in, int* partial, unsigned* counter, int* out, bool fenced);
void copy_by_memcpy(const int* in, int* out);
void device_variable(int* out);
void store_in_box(int* out, int index);
void grid_order(int* data);
