// 3: inline assembly (PTX) is not supported
#pragma GCC system_header
void f() { __asm__ volatile("nop"); }
