#pragma once

#include <cstddef>

// Host code of a submission, right and wrong.
int use_own_memory(int n);
void store_to(int* target);
void copy_to(void* target, std::size_t bytes);
void print_to(char* target);
void sort_at(int* target);
void copy_from_device_to(void* target);
bool allocate_to(void* target);
void free_foreign(void* target);
void throw_own();
