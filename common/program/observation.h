#pragma once

namespace tilelab::program {

/// Called before anything of the program runs.
void begin_observation();

/// Says what was found, or hands it on. Called once, when the program ends.
/// @param ended_by  see schema::Ending
void end_observation(const char* ended_by);

}  // namespace tilelab::program
