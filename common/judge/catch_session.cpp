#define CATCH_CONFIG_RUNNER
#include "judge/catch_session.h"

#include "judge/catch.h"

int tilelab::run_catch(int argc, char** argv) { return Catch::Session().run(argc, argv); }
