// Asynchronous copies: in flight from the step that starts them to the wait that completes them.

function isCopy(step) { return step.kind === "copy" || step.kind === "bulk"; }

// The start or the end of a batch. It has no place in memory.
function isCopyMark(step) { return step.kind === "commit" || step.kind === "wait"; }

// Flights are the copies of one warp that go together: a batch of each of its lanes. Adds to a launch
// its flights, to a copy its `flight`, to a commit or a wait its `flights`, and to a wait what
// `lands` with it.
function followCopies(launch) {
  launch.flights = [];
  let block = null, flown = [];
  for (const step of launch.steps) {
    if (step.block !== block) [block, flown] = [step.block, []];
    if (isCopy(step)) takeOff(launch, flown, step);
    if (!isCopyMark(step)) continue;
    const batches = new Set(step.batches);
    step.flights = flown.filter((one) => [...one.batches].some((batch) => batches.has(batch)));
    if (step.kind === "wait") step.lands = land(step, step.flights, batches);
    else for (const one of step.flights) if (one.warp === step.warp) one.commit = step;
  }
}

function takeOff(launch, flown, step) {
  let flight = flown.find((one) => one.warp === step.warp &&
                                   step.batches.some((batch) => one.batches.has(batch)));
  if (!flight) {
    flight = { block: step.block, warp: step.warp, batches: new Set(), copies: [], commit: null,
               landing: null, waiting: [],
               number: flown.filter((one) => one.warp === step.warp).length };
    flown.push(flight);
    launch.flights.push(flight);
  }
  step.batches.forEach((batch) => flight.batches.add(batch));
  flight.copies.push(step);
  flight.waiting.push(...step.parts);
  step.flight = flight;
}

function land(step, flights, batches) {
  const landed = [];
  for (const one of flights) {
    const now = one.waiting.filter((part) => batches.has(part.batch));
    if (now.length === 0) continue;
    landed.push(...now);
    one.waiting = one.waiting.filter((part) => !batches.has(part.batch));
    one.landing = one.waiting.length === 0 ? step : null;
  }
  return landed;
}

// The flights of the step's block that have started before it and are not complete after it.
function inFlightAt(launch, step) {
  return launch.flights.filter(
    (one) => one.block === step.block && one.copies[0].at < step.at &&
             (!one.landing || one.landing.at > step.at));
}

function targetText(flight) {
  const parts = flight.copies.flatMap((copy) => copy.parts.map((part) => [part, copy.bytes]));
  return spanText(parts.map(([part, bytes]) => [part.array, ...elementSpan(part, bytes)]));
}

function batchText(flight) { return `batch ${flight.number}`; }

function batchesText(flights) {
  const numbers = [...new Set(flights.map((one) => one.number))];
  return `batch${numbers.length === 1 ? "" : "es"} ${numbersText(numbers)}`;
}

// --- What is in memory ---------------------------------------------------------------------------

// What copies will write, by array and component. Until then memory holds what it held before.
function startCopies(memory, step) {
  eachComponent(step.parts, step, (array, component, stored) => {
    if (!memory.coming.has(array)) memory.coming.set(array, new Map());
    memory.coming.get(array).set(component, { ...stored, flight: step.flight });
  });
}

function endCopies(memory, step) {
  for (const part of step.lands) {
    eachComponent([part], part.copy, (array, component, stored) => {
      memory.get(array)[component] = stored;
      const coming = memory.coming.get(array);
      if (coming) coming.delete(component);
    });
  }
}

// --- In words ------------------------------------------------------------------------------------

function copySentence(step, launch, threads) {
  const one = new Set(step.lanes).size === 1;
  if (isCopy(step)) {
    const start = step.kind === "bulk" ? "a bulk copy of" : "to copy";
    return `${threads} ${one ? "starts" : "start"} ${start} ${sourceText(step)} to ` +
           `${placesText(step.parts, step)}, as part of ${batchText(step.flight)}. ${endText(step.flight)}`;
  }
  if (step.kind === "commit") {
    return step.flights.length === 0 ? `${threads} ${one ? "closes" : "close"} a batch without copies.`
      : `${threads} ${one ? "has" : "have"} started all copies of ${batchesText(step.flights)}.`;
  }
  if (step.flights.length === 0) return `${threads} had no copies to wait for.`;
  return `${threads} ${one ? "has" : "have"} waited for ${batchesText(step.flights)}. ` +
         "The copies are complete.";
}

function sourceText(step) {
  const sources = step.parts.filter((part) => part.from);
  return sources.length === 0 ? "zeros" : placesText(sources.map((part) => part.from), step);
}

function endText(flight) {
  const { landing } = flight;
  if (!landing) return "No wait in this block completes it.";
  return `It is in flight until ${landing.line ? `the wait in line ${landing.line}` : "the next wait"}.`;
}

// What else is under way at a step.
function flightsText(launch, step) {
  const flights = inFlightAt(launch, step).filter((one) => one !== step.flight);
  if (flights.length === 0) return "";
  const shown = flights.slice(0, 4).map((one) => `${batchText(one)} to ${targetText(one)}`);
  const more = flights.length - shown.length;
  return `Meanwhile in flight: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}
