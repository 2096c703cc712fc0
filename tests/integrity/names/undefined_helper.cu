// A helper that was declared and forgotten: the sentence shows its name as it is written in C++.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: declares count_blocks(int, int) and uses it, but does not define it.

#include "diff.h"

int count_blocks(int n, int block);

void diff(const int* in, int* out, int n) { *out = count_blocks(n, 256); }
