#pragma once

/// All that the tests of a lab need. Include the lab's contract header first.

#include "judge/calls/random.h"
#include "judge/calls/submission.h"
#include "judge/catch.h"
#include "judge/checks/check.h"
#include "judge/checks/safety.h"
#include "judge/checks/traffic.h"
#include "judge/speed/speed.h"
