#pragma once

#include <array>

#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/clusters/cluster_detector.h"
#include "emulator/observer/counts/traffic.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/code_places.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/findings/runtime_findings.h"
#include "emulator/observer/host/allocations.h"
#include "emulator/observer/host/host_access.h"
#include "emulator/observer/host/host_addresses.h"
#include "emulator/observer/host/host_objects.h"
#include "emulator/observer/host/input_writes.h"
#include "emulator/observer/memory/kernel_memory.h"
#include "emulator/observer/memory/launch_arguments.h"
#include "emulator/observer/memory/memory_names.h"
#include "emulator/observer/memory/provenance.h"
#include "emulator/observer/races/race_detector.h"
#include "emulator/observer/races/uninitialized_reads.h"
#include "emulator/observer/remarks/barrier_uses.h"
#include "emulator/observer/remarks/unused_tails.h"
#include "emulator/observer/streams/stream_races.h"
#include "emulator/observer/trace/tracer.h"

namespace tilelab::emulator {

/// All analyses, and what several of them know.
struct Analyses {
  CopyObserver copies;    ///< What the hooks told of asynchronous copies.
  CodePlaces increments;  ///< They add 1 atomically, and nobody wants the old value.
  CodePlaces overwrites;  ///< Exchanges whose old value nobody wants.
  CodePlaces unread;      ///< All atomic operations whose old value nobody wants.
  CodePlaces atomics;     ///< Atomic loads and stores.
  CodePlaces in_block;    ///< Atomic operations whose scope is the block.

  MemoryNames names;
  FindingLog findings{names};
  KernelMemory kernel_memory;
  LaunchArguments arguments;
  Provenance provenance;
  HostAccess host_access{findings, provenance};
  HostAddresses host_addresses;
  HostObjects host_objects{findings};
  InputWrites input_writes{findings};
  Allocations allocations{findings};
  RuntimeFindings runtime_findings{findings};
  Traffic traffic{copies, increments, unread};
  RaceDetector races{findings, copies, in_block, atomics, unread, overwrites};
  UninitializedReads uninitialized_reads{findings, copies, overwrites, races};
  ClusterDetector clusters{findings, copies, uninitialized_reads};
  StreamRaces streams{findings};
  BarrierUses barrier_uses;
  UnusedTails unused_tails;
  Tracer tracer{names, increments, copies, kernel_memory};

  /// In the order in which they hear of an event.
  const std::array<Analysis*, 18> all{&names,         &arguments,
                                      &kernel_memory, &provenance,
                                      &host_access,   &host_addresses,
                                      &allocations,   &runtime_findings,
                                      &traffic,       &uninitialized_reads,
                                      &races,         &clusters,
                                      &host_objects,  &input_writes,
                                      &barrier_uses,  &unused_tails,
                                      &streams,       &tracer};
  PointSource& points = races;
};

}  // namespace tilelab::emulator
