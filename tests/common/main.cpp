#include "judge/catch_session.h"

int main(int argc, char** argv) { return tilelab::run_catch(argc, argv); }
