// 2: there is no kernel before `<<<`
void f() { <<<1, 1>>>(); }
