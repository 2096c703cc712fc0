// A compiler that says nothing about itself, for the options -undef and -nostdinc: a program that
// this compiler reads differently asks who reads it.
#undef __BASE_FILE__
#undef __COUNTER__
#undef __DATE__
#undef __INCLUDE_LEVEL__
#undef __TIME__
#undef __TIMESTAMP__
#define __CHAR_BIT__ 8
#define __INT_MAX__ 0x7fffffff
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __linux__ 1
#define __unix__ 1
#define __x86_64__ 1
