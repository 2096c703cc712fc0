// A step in words.

const VERBS = { load: ["loads", "load"], store: ["stores", "store"],
                atomic: ["updates atomically", "update atomically"] };
const WHERE = { load: "from", store: "to", atomic: "in" };

function arrayName(array) {
  return array.name || array.declared || (array.role === "shared" ? "dynamic shared memory" : "memory");
}

function elementName(array, element) {
  const name = arrayName(array);
  if (array.columns > 0) {
    return `${name}[${Math.floor(element / array.columns)}][${element % array.columns}]`;
  }
  return `${name}[${element}]`;
}

// Whole numbers as "0 to 3", "0, 2 and 5", or "12 of them".
function numbersText(numbers) {
  if (numbers.length === 1) return String(numbers[0]);
  const last = numbers[numbers.length - 1];
  if (numbers.length === 2) return `${numbers[0]} and ${last}`;
  if (numbers.every((n, i) => n === numbers[0] + i)) return `${numbers[0]} to ${last}`;
  if (numbers.length <= 6) return `${numbers.slice(0, -1).join(", ")} and ${last}`;
  return `${numbers[0]}, ${numbers[1]}, \u2026, ${last}`;
}

function threadsText(ranks, block) {
  const names = ranks.map((rank) => indexText(threadIndex(rank, block), block));
  if (ranks.length === 1) return `Thread ${names[0]}`;
  const isRow = block[1] * block[2] === 1;
  if (isRow) return `Threads ${numbersText(ranks)}`;
  return `Threads ${names[0]} to ${names[names.length - 1]}, ${ranks.length} of them,`;
}

// The elements that all parts touch: "in[0] to in[15]".
function placesText(parts, step) {
  return spanText(parts.map((part) => [part.array, ...elementSpan(part, step.bytes)]));
}

// [array, first, last] of each: one name if they leave no gap, else that of the first and the last.
function spanText(spans) {
  const sorted = [...spans].sort((a, b) => a[1] - b[1]);
  const [array] = sorted[0], first = sorted[0][1];
  const last = Math.max(...sorted.map((one) => one[2]));
  let end = first - 1;
  const hasGaps = sorted.some((one) => {
    const isGap = one[0] !== array || one[1] > end + 1;
    end = Math.max(end, one[2]);
    return isGap;
  });
  if (first === last) return elementName(array, first);
  return `${elementName(array, first)}${hasGaps ? ", \u2026, " : " to "}${elementName(array, last)}`;
}

function elementsText(parts, step) {
  if (step.bytes > parts[0].array.element_bytes) return placesText(parts, step);
  const nameOf = (part) => elementName(part.array, part.element) + componentText(part, step);
  const first = nameOf(parts[0]);
  if (parts.every((p) => p.array === parts[0].array && p.element === parts[0].element)) return first;
  const last = nameOf(parts[parts.length - 1]);
  const isRun = parts.every((p, i) => p.array === parts[0].array &&
                                      p.element === parts[0].element + i);
  if (parts.length === 2) return `${first} and ${last}`;
  return isRun ? `${first} to ${last}` : `${first}, \u2026, ${last}`;
}

// What a lane reads, or leaves: the components that it touches.
function valueText(part, step, memory) {
  const { array } = part;
  const first = Math.floor(part.offset / array.size);
  const count = Math.max(1, step.bytes / array.size);
  const texts = [];
  for (let k = 0; k < count; ++k) {
    if (step.kind !== "load" && part.value) {
      texts.push(decode(part.value.slice(2 * k * array.size), array.base, array.size));
    } else {
      const held = memory.get(array)[first + k];
      if (held === undefined) return "";
      texts.push(held.text);
    }
  }
  return count === 1 ? short(texts[0]) : `(${texts.map(short).join(", ")})`;
}

function componentText(part, step) {
  const { array } = part;
  if (array.components === 1 || step.bytes >= array.element_bytes) return "";
  return `.${"xyzw"[Math.floor(part.offset / array.size) % array.components]}`;
}

function sentenceOf(step, launch, memory) {
  const block = indexText(blockIndex(step.block, launch.grid), launch.grid);
  if (step.barrier) {
    return `All threads of block ${block} have reached the barrier: from here on, each of them ` +
           "sees what any of them stored before it.";
  }
  const { parts } = step;
  if (isCopy(step) || isCopyMark(step)) {
    const ranks = [...new Set(step.lanes)].map((lane) => step.warp * 32 + lane);
    return copySentence(step, launch, `${threadsText(ranks, launch.block)} of block ${block}`);
  }
  const one = parts.length === 1;
  const verb = VERBS[step.kind][one ? 0 : 1];
  const value = one ? valueText(parts[0], step, memory) : "";
  const isBroadcast = !one && parts.every((p) => p.array === parts[0].array &&
                                                 p.offset === parts[0].offset);
  const what = elementsText(parts, step);
  return `${threadsText(parts.map((p) => p.rank), launch.block)} of block ${block} ` +
         `${isBroadcast ? "all " : ""}${verb} ${what}${value ? ` = ${value}` : ""} ` +
         `${WHERE[step.kind]} ${step.space} memory.`;
}

function costOf(step) {
  if (step.barrier || isCopyMark(step)) return "";
  const asked = step.lanes.length * step.bytes;
  if (step.kind === "bulk") {
    return `One bulk copy: ${plural(asked, "byte")}, ${plural(step.sectors, "sector")} of 32 bytes.`;
  }
  if (step.space === "global" || isCopy(step)) {
    const move = step.sectors === 1 ? "moves" : "move";
    return `One request: ${plural(step.sectors, "sector")} of 32 bytes ${move}, ` +
           `the threads ask for ${plural(asked, "byte")}.`;
  }
  const conflicts = step.wavefronts - step.ideal;
  if (conflicts === 0) return `One request: ${plural(step.wavefronts, "wavefront")}, no bank conflict.`;
  return `One request: ${plural(step.wavefronts, "wavefront")} instead of ${step.ideal}, ` +
         `${plural(conflicts, "bank conflict")}.`;
}

// Which part of a launch the page has, if all of it is too much.
function sampleText({ trace, grid, block }) {
  const blocks = grid[0] * grid[1] * grid[2];
  const warps = Math.ceil(block[0] * block[1] * block[2] / 32);
  const shownOf = (count, every, noun) =>
    `${Math.ceil(count / every)} of ${plural(count, noun)}`;
  const parts = [];
  if (trace.blocks_every > 1) parts.push(shownOf(blocks, trace.blocks_every, "block"));
  if (trace.warps_every > 1) parts.push(`${shownOf(warps, trace.warps_every, "warp")} in a block`);
  if (trace.ends_early) parts.push("the beginning of the run");
  return `The run makes more accesses than a page can hold, so you see ${parts.join(", and ")}. ` +
         "What others store is not shown.";
}
