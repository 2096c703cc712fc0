#include "honest_rescale.h"

long long rescale(short* values, Change change, int n) { return honest_rescale(values, change, n); }
