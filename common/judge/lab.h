#pragma once

/// All that the tests of a lab need. Include the lab's contract header first.

#include "judge/catch.h"
#include "judge/check.h"
#include "judge/random.h"
#include "judge/safety.h"
#include "judge/speed.h"
#include "judge/submission.h"
#include "judge/traffic.h"
