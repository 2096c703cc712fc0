#pragma once

#include <vector_types.h>

/// One time step of n bodies, each of which attracts all others.
///
/// With p a body's position, v its velocity, m its mass and r = p_j - p_i:
///
///     a_i     = sum over all j of  m_j * r / (|r|^2 + softening^2)^(3/2)
///     new v_i = v_i + dt * a_i
///     new p_i = p_i + dt * new v_i
///
/// The position moves with the *new* velocity (symplectic Euler). Softening keeps the pull of close
/// bodies finite; thanks to it two bodies may share a place, and j = i may stay in the sum: r = 0
/// adds nothing. The gravitational constant is 1.
///
/// Arithmetic is in float, and the sum may be taken in any order. Square roots may come from
/// `rsqrtf`; coarser approximations are not accurate enough.
///
/// All arrays are in device memory and do not overlap. Launch on the default stream; the caller
/// synchronizes and checks for errors.
///
/// @param position       n bodies: x, y, z, and in w the mass, which may be 0 or negative
/// @param velocity       n velocities: x, y, z; w is carried along unchanged
/// @param next_position  n elements: the new positions, each with the mass of its body in w
/// @param next_velocity  n elements: the new velocities, each with the w of the old one
/// @param dt             the time that passes: any finite number
/// @param softening      a length, at least 1e-6
/// @param n              any number of bodies >= 0; with n = 0 there is nothing to do
void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION) \
  FUNCTION(nbody_step, position, velocity, next_position, next_velocity, dt, softening, n)
