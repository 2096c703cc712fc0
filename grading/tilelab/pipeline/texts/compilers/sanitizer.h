// What a checked build, or a build with other options, could define.
#undef __NO_INLINE__
#define TILELAB_CHECKED 1
#define __FAST_MATH__ 1
#define __OPTIMIZE__ 1
#define __OPTIMIZE_SIZE__ 1
#define __SANITIZE_ADDRESS__ 1
#define __SANITIZE_THREAD__ 1
