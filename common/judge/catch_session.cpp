#define CATCH_CONFIG_RUNNER
#include "judge/catch.h"

#include "judge/catch_session.h"

int tilelab::run_catch(int argc, char** argv) { return Catch::Session().run(argc, argv); }
