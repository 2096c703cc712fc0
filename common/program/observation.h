#pragma once

namespace tilelab::program {

/// Called before anything of the program runs.
void begin_observation();

/// Host code crashes, and is about to end the program.
void note_crash(const char* sentence);

/// Says what was found, or hands it on. Called once, when the program ends.
/// @param ended_by    see schema::Ending
/// @param is_its_own  whether the program ended itself, and could have freed its memory before
void end_observation(const char* ended_by, bool is_its_own);

}  // namespace tilelab::program
