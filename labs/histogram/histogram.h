#pragma once

/// Counts bytes by their value.
///
/// For 0 <= v < 256, `counts[v]` grows by the number of indices i with 0 <= i < n and `in[i] == v`.
/// So the counts of a long file can be made piece by piece. The results are exact; all of them
/// together grow by n.
///
/// Both arrays are in device memory and do not overlap. Each begins at a multiple of 16 bytes; n
/// need not be one. Any bytes may come: all values equally often, or one of them only. Launch on
/// the default stream; the caller synchronizes and checks for errors.
///
/// @param in      n bytes, read only
/// @param counts  256 numbers, which the function adds to. None of them reaches 2^32.
/// @param n       the number of bytes, 0 to 2^30. If it is 0, the function does nothing.
void histogram(const unsigned char* in, unsigned* counts, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(histogram, in, inout(counts), n)
