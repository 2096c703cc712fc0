// 2: remove this #line
#line 1 "/usr/include/string.h"
void f() { asm("nop"); }
