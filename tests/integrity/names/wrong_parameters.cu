// The function of the contract with another parameter list. The sentence shows both.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: defines diff(int const*, int*, long), but the tests call diff(int const*, int*, int).

void diff(const int* in, int* out, long n) {
  if (n > 0) *out = *in;
}
