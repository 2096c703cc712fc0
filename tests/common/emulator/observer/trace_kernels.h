#pragma once

#include <cuda_runtime.h>

void difference(const int* in, int* out, int n);
void column(float* out);
void count_up(int* counter);
void copy_ahead(const int* in, int* out);
void copy_in_bulk(const int* in, int* out);
void many_accesses(int* out, int rounds);
void accesses_of(int* out, int rounds, int blocks, int warps);
