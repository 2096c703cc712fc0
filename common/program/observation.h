#pragma once

namespace tilelab::program {

/// Called before anything of the program runs.
void begin_observation();

/// Says what was found, or hands it on. Called once, when the program ends.
void end_observation();

}  // namespace tilelab::program
