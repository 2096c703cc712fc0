"""What a failure of a pattern is often caused by, as names of kinds of edits."""

from __future__ import annotations

from collections.abc import Mapping

_OF_BANKS = (
    "padding",
    "axes exchanged",
    "quotient and remainder",
    "elements of a thread",
    "distances of a tree",
    "slot of the tile",
)

# Where only a part of what there is has been added up.
_OF_PARTS = (
    "end of a loop", "comparison", "wrong variable", "which size", "rounded down",
    "step of a loop", "number of blocks", "grid", "condition",
)  # fmt: skip

# Where the last tile is not full.
_OF_TAILS = (
    "empty slot", "value of an empty slot", "condition", "guard missing", "comparison",
    "elements of the last tile", "end of a loop", "rounded down", "elements after the last group",
)  # fmt: skip

_OF_ROUNDS = (
    "index of the round", "step of a loop", "off by one", "number for a variable",
    "wrong variable", "first round of a loop", "end of a loop",
)  # fmt: skip

_OF_ROWS = ("axes exchanged", "wrong variable", "length of a row")

OFTEN: Mapping[str, tuple[str, ...]] = {
    "data_race": (
        "barrier missing", "barrier in a loop", "barrier in a branch", "barrier of a warp",
        "barrier before the wait", "wait missing", "wait for the wrong batch", "commit in a branch",
        "atomic addition", "condition", "slot of the tile", "barrier in the middle of a loop",
        "work of one thread", "array of the next round", "copy of one thread",
        "flag that is not volatile", "fence missing", "barrier next to its place",
        "turn of a slot", "memory in use",
    ),
    "out_of_time": (
        "loop without a step", "type too small", "step of a loop", "assignment", "comparison",
        "grid", "mask of a warp operation", "work of all threads",
    ),
    "repeated_work": ("step of a loop", "index of the block", "grid"),
    "order": (
        "barrier missing", "barrier in a loop", "wait missing", "atomic addition", "initial value",
    ),
    "divergent_barrier": ("barrier in a branch", "threads leave early", "condition too strict"),
    "uninitialized_read": (
        "empty slot", "barrier missing", "initial value", "wait missing", "guard missing",
        "wait for the wrong batch", "commit in a branch", "end of a loop",
        "barrier in the middle of a loop", "term missing", "promise about a size",
        "threads leave early", "slots of the last tile", "copy missing", "bytes of a vector",
        "slot that nobody filled",
    ),
    "bank_conflicts": _OF_BANKS,
    "shared_wavefronts": _OF_BANKS,
    "atomic_conflicts": _OF_BANKS,
    "sector_excess": (
        "axes exchanged", "index of the block", "index of a thread", "elements of a thread",
    ),
    "out_of_bounds": (
        "guard missing", "comparison", "bytes and elements", "off by one", "array of another type",
        "elements of the last tile", "condition", "guard of another element",
    ),
    "misaligned": ("array of another type", "address of a vector", "off by one"),
    "index_past_end": ("slots of the last tile", "value of an empty slot"),
    "shared_out_of_bounds": (
        "guard missing", "size of an array", "dynamic shared memory", "comparison", "block",
    ),
    "launch_failed": (
        "grid and block exchanged", "empty launch", "rounded down", "block", "wrong number",
        "nothing to do", "more than 48 KiB", "pointer of the host",
        "limits of the grid",
    ),
    "loads_per_element": (
        "read from global memory", "grid", "number of blocks", "work of one thread",
        "copy of one thread", "step of a loop",
    ),
    "stores_per_element": ("inside or outside", "atomic in a loop", "step of a loop"),
    "shared_passes": _OF_BANKS,
    "leak": ("memory that stays",),
    "error_ignored": ("error dropped", "error not asked for", "error overwritten"),
    "never_written": ("something to do", "empty launch"),
    "global_atomics": ("atomic in a loop", "grid", "number of blocks"),
    "too_many_threads": ("grid", "number of blocks"),
    "tail_unwritten": ("rounded down", "grid", "step of a loop"),
    "some_unwritten": ("axes exchanged", "rounded down", "grid"),
    "grid_too_small": ("rounded down", "grid", "axes exchanged"),
    "wrong_pitch": ("length of a row", "axes exchanged"),
    "differences_first": ("order of arithmetic",),
    "not_zeroed": ("order of arithmetic", "initial value"),
    "tile_edges": ("right already", "term too many", "term missing", "off by one"),
    "block_edges": ("first or last thread", "neighbor in another block"),
    "exclusive": ("term left out",),
    "own_tile_added": ("off by one", "memory in use"),
    "counted_twice": ("off by one",),
    "use_after_free": ("order of statements",),
    "period": ("right already", "which size", "off by one"),
    "uninitialized_array": ("copy missing", "wrong array"),
    "spacing_multiplied": ("reciprocal",),
    "spacing_missing": ("reciprocal",),
    "other_axis": ("sizes of a call", "which size", "length of a row", "arguments exchanged"),
    "rounding_order": ("order of additions",),
    "inexact": ("function of mathematics", "order of arithmetic"),
    "none_forgotten": ("start of a search",),
    "none_found": ("start of a search", "comparison"),
    "slot_for_index": ("known by its index", "as elsewhere"),
    "not_nearest": (
        "array of another type", "start of a search", "known by its index", "units of an index",
    ),
    "tie": ("equally good", "expression", "comparison"),
    "own_index": ("known by its index", "empty slot", "value of an empty slot"),
    "points_missed": ("rounded down", "condition", "comparison"),
    "loads_by_threads": ("plain copy",),
    "tile_not_transposed": ("axes exchanged",),
    "blocks_not_swapped": ("axes exchanged",),
    "softening_not_squared": ("square missing",),
    "slab_unwritten": ("rounded down", "grid", "wrong variable", "blocks along several axes"),
    "convergence": (
        "fraction of whole numbers", "wrong number", "element that a condition asks for",
    ),
    "another_tile": (
        "number for a variable", "step of a loop", "slot of the tile", "turn of a slot",
    ),
    "part_of_tiles": ("comparison", "empty slot", "value of an empty slot", "off by one"),
    "products_missing": _OF_PARTS,
    "bodies_missing": _OF_PARTS,
    "tail_missing": _OF_PARTS,
    "tail_lost": _OF_PARTS,
    "rest_lost": _OF_PARTS,
    "some_lost": _OF_PARTS,
    "tail_wrong": _OF_TAILS,
    "tail_repeated": _OF_TAILS,
    "halo_missing": (*_OF_TAILS, "copy missing", "slots of the last tile"),
    "last_product_only": (
        "assignment", "initial value", "what begins anew", "value that is set back",
    ),
    "last_point": ("best so far", "comparison", "start of a search", "assignment"),
    "last_tile_only": (
        "assignment", "initial value", "what begins anew", "order of statements", "best so far",
        "value that is set back",
    ),
    "wrong_tile": (
        "wrong variable", "number for a variable", "step of a loop", "term missing",
        "slot of the tile", "index of the round",
    ),
    "padding_pulls": _OF_TAILS,
    "own_tile_twice": _OF_ROUNDS,
    "own_tile_missing": _OF_ROUNDS,
    "own_tile_only": (*_OF_ROUNDS, "loop without a step"),
    "later_blocks": (
        "index of the block", "index of a thread", "term missing", "wrong variable",
        "number of the block", "element that a condition asks for",
    ),
    "tile_transposed": _OF_ROWS,
    "factor_transposed": _OF_ROWS,
    "result_transposed": _OF_ROWS,
    "not_transposed": _OF_ROWS,
    "lengths_swapped": (*_OF_ROWS, "arguments exchanged", "which size"),
    "no_pull": ("assignment", "order of a difference", "wrong variable", "wrong array"),
    "repulsion": ("order of a difference", "wrong operator", "wrong variable"),
    "sign": ("order of a difference", "wrong operator", "wrong variable"),
    "mass_ignored": ("term missing", "wrong variable", "part of a vector", "part of a sum"),
    "own_mass": ("wrong variable", "wrong array", "part of a vector"),
    "softening_forgotten": ("term missing", "part of a sum", "wrong variable"),
    "power": ("power", "function of mathematics", "term missing", "term left out"),
    "dt_forgotten": ("term missing", "part of a sum"),
    "position_dt_forgotten": ("term missing", "part of a sum"),
    "dt_twice": ("term left out", "wrong variable"),
    "velocity_forgotten": ("assignment", "term missing", "wrong variable"),
    "old_velocity": ("wrong variable", "wrong array", "value from before", "order of statements"),
    "velocity_w_lost": ("part of a vector", "wrong variable", "initial value"),
    "mass_lost": ("part of a vector", "wrong variable", "initial value"),
    "arguments_swapped": ("arguments exchanged", "wrong array"),
    "outputs_swapped": ("arguments exchanged", "wrong array"),
    "bins_not_empty": ("empty slot", "initial value", "barrier missing", "end of a loop"),
    "bins_left_out": ("end of a loop", "step of a loop", "condition", "comparison"),
    "lost": ("atomic addition", "assignment", "barrier missing", "end of a loop", "as elsewhere"),
    "wrong_bin": ("sign of a byte", "bits of a word", "wrong operator", "as elsewhere"),
    "added_twice": ("step of a loop", "off by one", "work of one thread", "condition"),
    "begins_anew": ("what begins anew", "term missing", "initial value", "wrong variable"),
    "warp_begins_anew": ("what begins anew", "term missing", "initial value", "wrong variable"),
    "one_tile_back": ("assignment", "term missing", "end of a loop", "wrong variable"),
    "last_left_out": ("off by one", "value from before", "term missing", "order of statements"),
    "first_left_out": ("comparison", "off by one", "first or last thread"),
    "short_window": ("end of a loop", "comparison", "step of a loop", "turn of a slot"),
    "coefficient": ("wrong number", "number for a variable", "as elsewhere", "wrong variable"),
    "scaled": ("reciprocal", "wrong number", "wrong variable"),
    "ends": ("off by one", "comparison", "step of a loop", "as elsewhere"),
    "last_tile": ("off by one", "elements of the last tile", "wrong variable", "as elsewhere"),
}  # fmt: skip
