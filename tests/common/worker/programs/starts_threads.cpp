#include <pthread.h>
#include <unistd.h>

#include "honest.h"
#include "probe.h"

void probe(const int* in, int* out, int n) {
  const auto sleep = [](void*) -> void* {
    while (true) pause();
  };
  int started = 0;
  for (pthread_t thread; started < 3000; ++started) {
    if (pthread_create(&thread, nullptr, sleep, nullptr) != 0) break;
  }
  if (started == 0) honest_probe(in, out, n);
}
