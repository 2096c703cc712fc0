#pragma once

/// All that the tests of a lab need. The build defines TILELAB_LAB_HEADER.

// The lab's contract comes first: the headers below read it.
#include TILELAB_LAB_HEADER

#include "judge/calls/random.h"
#include "judge/calls/submission.h"
#include "judge/catch.h"
#include "judge/checks/check.h"
#include "judge/checks/failing_calls.h"
#include "judge/checks/picture.h"
#include "judge/checks/safety.h"
#include "judge/estimated/check_estimated.h"
#include "judge/events.h"
#include "judge/sizes/draw_sizes.h"
#include "judge/sizes/observed_sizes.h"
#include "judge/speed/simple_speed.h"
#include "judge/speed/speed.h"
#include "judge/traffic/traffic.h"
#include "judge/worker/limits.h"
