#pragma once

/// Cooperative groups: threads that wait for each other and exchange values.

#include "cuda_runtime.h"
#include "emulated/groups/cluster_group.h"
#include "emulated/groups/coalesced_group.h"
#include "emulated/groups/invoke.h"
#include "emulated/groups/partitions.h"
#include "emulated/groups/thread_block_tile.h"
#include "emulated/groups/thread_group.h"
