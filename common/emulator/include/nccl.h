#pragma once

// CUDA has this header. What it declares is refused where a program uses it.
