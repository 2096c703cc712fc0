// A loop in host code that never ends. It costs one time limit per test, and the class goes on.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: did not finish within 2 s of processor time. At that time host code was running

#include "diff.h"

void diff(const int* in, int* out, int n) {
  for (volatile int i = 0; i >= 0; i = i == 1000 ? 0 : i + 1) {
  }
}
