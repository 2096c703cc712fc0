// What host code calls to learn what other threads of the host did.

#include <pthread.h>

#include "emulator/observer/dispatcher.h"

extern "C" int tilelab_pthread_mutex_lock(pthread_mutex_t* mutex) {
  const int error = pthread_mutex_lock(mutex);
  tilelab::emulator::analyses().streams.host_synchronizes();
  return error;
}
