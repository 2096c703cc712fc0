// What is in memory after each step: the run is repeated from its trace.

function blockIndex(number, grid) {
  return [number % grid[0], Math.floor(number / grid[0]) % grid[1],
          Math.floor(number / grid[0] / grid[1])];
}

function threadIndex(rank, block) { return blockIndex(rank, block); }

function rankOf(index, extents) {
  return index[0] + extents[0] * (index[1] + extents[1] * index[2]);
}

// "3", or "(3, 1)" where there are more directions.
function indexText(index, extents) {
  if (extents[1] * extents[2] === 1) return String(index[0]);
  return `(${index.slice(0, extents[2] === 1 ? 2 : 3).join(", ")})`;
}

// The arrays of a call: those of its contract first, then what else its kernels accessed.
class CallModel {
  constructor(call, kernel) {
    this.call = call;
    this.axes = call.axes;
    this.arrays = [];
    for (const [role, given] of [["input", call.inputs], ["output", call.outputs]]) {
      for (const array of given) this.arrays.push(this.ofContract(role, array));
    }
    this.launches = call.launches.map((launch) => this.modelOf(launch, kernel));
    for (const array of this.arrays) array.count = Math.max(array.count, array.used);
  }

  ofContract(role, array) {
    const type = typeNamed(array.number);
    const count = (role === "input" ? array.values : array.expected).length / array.components;
    return {
      ...array, role: array.returned ? "returned" : role, count, used: 0, longest: 1, begin: 0,
      space: array.returned ? "" : "global", base: type ? type.base : "unknown",
      size: array.element_bytes / array.components, columns: 0,
      wrong: new Set(array.wrong), unwritten: new Set(array.unwritten),
    };
  }

  modelOf(launch, kernel) {
    const trace = { ...launch.trace, steps: launch.trace.steps.map(unpacked) };
    const numbers = trace.arrays.map((traced, number) => this.arrayOf(traced, number, trace, kernel));
    const steps = trace.steps.map((step, at) => ({ ...step, at, line: lineOf(trace, step, kernel) }));
    for (const step of steps) {
      if (step.barrier) continue;
      step.parts = step.arrays ? step.lanes.map((lane, i) => partOf(step, i, numbers)) : [];
      step.space = step.parts.length > 0 ? step.parts[0].array.space : "";
    }
    const model = { ...launch, trace, steps };
    followCopies(model);
    return model;
  }

  arrayOf(traced, number, trace, kernel) {
    const same = this.arrays.find(
      (one) => one.space === traced.space && one.name === traced.name &&
               (one.name !== "" || one.begin === traced.begin));
    if (same) {
      same.begin = traced.begin;
      return same;
    }
    const declared = declarationOf(traced, kernel);
    const step = trace.steps.find((one) => (one.arrays || []).includes(number) ||
                                           (one.from_arrays || []).includes(number));
    const type = typeNamed(declared ? declared.type : "") ||
                 { base: "word", size: Math.min(4, step.bytes), components: Math.ceil(step.bytes / 4) };
    const array = {
      ...traced, declared: declared ? declared.name : "", role: traced.space === "shared" ? "shared" : "scratch", used: 0, longest: 1,
      base: type.base, size: type.size, components: type.components,
      element_bytes: type.size * type.components, values: [],
      columns: declared ? declared.columns : 0, wrong: new Set(), unwritten: new Set(),
    };
    array.count = Math.floor(traced.bytes / array.element_bytes);
    if (array.role === "scratch") array.count = 0;  // show what is used of it
    this.arrays.push(array);
    return array;
  }

  // The components of each array before a step, with who wrote them: {text, block, rank}.
  before(launchNumber, at) {
    const memory = new Map();
    memory.coming = new Map();
    for (const array of this.arrays) {
      const isThere = array.role === "input" || array.role === "returned";
      const texts = isThere ? array.values : array.before || [];
      memory.set(array, texts.map((text) => ({ text })));
    }
    for (const [number, { steps }] of this.launches.slice(0, launchNumber + 1).entries()) {
      const end = number < launchNumber ? steps.length : at;
      for (let i = 0; i < end; ++i) {
        if (i === 0 || steps[i].block !== steps[i - 1].block) this.forgetShared(memory);
        store(memory, steps[i]);
      }
      const next = steps[end];
      if (next && end > 0 && next.block !== steps[end - 1].block) this.forgetShared(memory);
    }
    return memory;
  }

  forgetShared(memory) {
    for (const array of this.arrays) {
      if (array.role === "shared") memory.set(array, []);
    }
    memory.coming.clear();
  }
}

// The components that a store leaves; none if it is not known what it stores.
function storedTexts(array, digits) {
  const texts = [];
  for (let at = 0; at < digits.length; at += 2 * array.size) {
    texts.push(decode(digits.slice(at, at + 2 * array.size), array.base, array.size));
  }
  return texts;
}

function store(memory, step) {
  if (step.barrier || step.kind === "load" || step.kind === "commit") return;
  if (isCopy(step)) startCopies(memory, step);
  else if (step.kind === "wait") endCopies(memory, step);
  else eachComponent(step.parts, step, (array, at, stored) => { memory.get(array)[at] = stored; });
}

// Calls act(array, component, stored) for what a step writes: {text, block, rank}.
function eachComponent(parts, step, act) {
  for (const part of parts) {
    const { array } = part;
    const first = Math.floor(part.offset / array.size);
    const texts = storedTexts(array, part.value);
    for (let k = 0; k * array.size < step.bytes; ++k) {
      act(array, first + k, { text: texts[k] || "?", block: step.block, rank: part.rank });
    }
  }
}

// The emulator has no name for what a launch adds to a block's shared memory.
function declarationOf(traced, kernel) {
  if (traced.name !== "") return kernel.shared.find((one) => one.name === traced.name);
  const dynamic = kernel.shared.filter((one) => one.dynamic);
  return traced.space === "shared" && dynamic.length === 1 ? dynamic[0] : undefined;
}

// What one lane of a step accesses; of a copy, where it writes, and `from` where it reads.
function partOf(step, i, arrays) {
  const part = placeOf(step, arrays[step.arrays[i]], step.offsets[i]);
  const { array } = part;
  const value = step.values ? step.values[i] : "";
  array.longest = Math.max(array.longest, ...storedTexts(array, value).map((t) => short(t).length));
  const lane = step.lanes[i];
  Object.assign(part, { lane, rank: step.warp * 32 + lane, value });
  if (!isCopy(step)) return part;
  const from = step.from_offsets[i];
  return Object.assign(part, {
    batch: step.batches[i], copy: step,
    from: from < 0 ? null : placeOf(step, arrays[step.from_arrays[i]], from) });
}

function placeOf(step, array, offset) {
  const [first, last] = elementSpan({ array, offset }, step.bytes);
  array.used = Math.max(array.used, last + 1);
  return { array, offset, element: first };
}

// The first and the last element that an access of this many bytes touches.
function elementSpan({ array, offset }, bytes) {
  return [Math.floor(offset / array.element_bytes),
          Math.floor((offset + Math.max(bytes, 1) - 1) / array.element_bytes)];
}

// All places that a step touches: those that a copy reads, too.
function placesOf(step) {
  return (step.parts || []).flatMap((part) => (part.from ? [part.from, part] : [part]));
}

function lineOf(trace, step, kernel) {
  const place = trace.places[step.place];
  return place && place.file === kernel.file ? place.line : 0;
}

function componentsOf(memory, array, element) {
  const all = memory.get(array), first = element * array.components;
  return Array.from({ length: array.components }, (_, k) => all[first + k]);
}

function kindOf(step) {
  if (isCopy(step) || isCopyMark(step)) return "copy";
  return `${step.space}-${step.kind === "load" ? "load" : "store"}`;
}
