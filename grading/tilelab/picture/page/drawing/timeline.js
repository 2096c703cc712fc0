// All steps of a block: a row per warp, a tick per request, a line per barrier.

// Draws them once; mark() then moves the frame to a step.
function drawTimeline(view, width) {
  const { launch, steps } = view;
  if (!launch || steps.length === 0) return null;
  const phases = phasesOf(steps);
  const warps = steps.reduce((most, step) => Math.max(most, (step.warp || 0) + 1), 1);
  const columns = phases.reduce((sum, phase) => sum + phase.length + 1, 0);
  const left = 52, row = warps > 12 ? 9 : 16;
  const tracks = tracksOf(launch, steps, warps);
  const tops = [];  // of the rows of the warps
  let y = 6;
  for (const ofWarp of tracks) {
    tops.push(y);
    y += row + TRACK * ofWarp.length;
  }
  const tick = Math.max(1.5, Math.min(16, (width - left - 8) / columns));
  const total = Math.max(width, left + columns * tick + 8), height = y + 4;
  const picture = svg("svg", { width: total, height, viewBox: `0 0 ${total} ${height}`, role: "img",
                               "aria-label": "the steps of the block" });
  for (let warp = 0; warp < warps; warp += row < 12 ? 4 : 1) {
    picture.append(svg("text", { x: 0, y: tops[warp] + 11, class: "small" }, `warp ${warp}`));
  }
  const places = new Map();
  let x = left;
  for (const phase of phases) {
    for (const [warp, ofWarp] of phase.warps) {
      ofWarp.forEach((step, i) => places.set(step, {
        x: x + i * tick, y: tops[warp], width: Math.max(1, tick - 1), height: row - 3 }));
    }
    x += phase.length * tick;
    if (phase.barrier) places.set(phase.barrier, { x: x + tick / 2 - 1, y: 0, width: 2, height });
    x += tick;
  }
  for (const [step, place] of places) picture.append(tickOf(view, step, place));
  tracks.forEach((ofWarp, warp) => ofWarp.forEach((flights, i) => flights.forEach(
    (flight) => picture.append(barOf(view, flight, places, tops[warp] + row + TRACK * i, x)))));
  const frame = svg("rect", { rx: 2, class: "now" });
  picture.append(frame);
  const mark = (step) => {
    const { x: at, y, width: wide, height: high } = places.get(step);
    fill(frame, { x: at - 2, y: y - 2, width: wide + 4, height: high + 4 }, []);
  };
  return { picture, mark };
}

const TRACK = 17;  // the height of a row of bars

// The flights of each warp, in as few rows as have room for them side by side.
function tracksOf(launch, steps, warps) {
  const tracks = Array.from({ length: warps }, () => []);
  for (const flight of launch.flights.filter((one) => one.block === steps[0].block)) {
    const rows = tracks[flight.warp], begin = flight.copies[0].at;
    const endOf = (one) => (one.landing ? one.landing.at : Infinity);
    const free = rows.find((row) => endOf(row[row.length - 1]) < begin);
    if (free) free.push(flight);
    else rows.push([flight]);
  }
  return tracks;
}

// Copies in flight: a bar from the step that starts the first to the wait that completes the last.
function barOf(view, flight, places, y, end) {
  const first = places.get(flight.copies[0]);
  const landing = flight.landing && places.get(flight.landing);
  const right = Math.max(first.x + first.width, landing ? landing.x + landing.width : end);
  const width = right - first.x;
  const texts = [`${batchText(flight)} to ${targetText(flight)}`, batchText(flight), `b${flight.number}`];
  const text = texts.find((one) => 0.9 * textWidth(one) < width - 4) || "";
  const about = `${batchText(flight)} to ${targetText(flight)}, ` +
    `${flight.copies[0].kind === "bulk" ? "bulk copy" : plural(flight.copies.length, "request")}: ` +
    endText(flight);
  const commit = flight.commit && places.get(flight.commit);
  return svg("g", { class: "tick flight", onclick: () => view.goTo(flight.copies[0]) },
    svg("title", {}, about),
    svg("rect", { x: first.x, y, width, height: TRACK - 4, rx: 3, class: "flightbar" }),
    commit && commit.x < right ? svg("line", { x1: commit.x + commit.width / 2, x2: commit.x + commit.width / 2,
                                               y1: y, y2: y + TRACK - 4, class: "commitline" }) : null,
    svg("text", { x: first.x + 4, y: y + 10, class: "small ink" }, text));
}

// What happens between two barriers, by warp. Warps run side by side.
function phasesOf(steps) {
  const phases = [{ warps: new Map(), length: 0, barrier: null }];
  for (const step of steps) {
    const phase = phases[phases.length - 1];
    if (step.barrier) {
      phase.barrier = step;
      phases.push({ warps: new Map(), length: 0, barrier: null });
      continue;
    }
    if (!phase.warps.has(step.warp)) phase.warps.set(step.warp, []);
    phase.warps.get(step.warp).push(step);
    phase.length = Math.max(phase.length, phase.warps.get(step.warp).length);
  }
  return phases;
}

const COPY_STEPS = { copy: "copies start", bulk: "a bulk copy starts",
                     commit: "all copies of a batch have started",
                     wait: "copies have been waited for" };

function tickOf(view, step, place) {
  const about = step.barrier ? "barrier" : kindOf(step) === "copy" ? COPY_STEPS[step.kind]
              : `${step.kind} in ${step.space} memory`;
  const group = svg("g", { class: "tick", onclick: () => view.goTo(step) },
    svg("title", {}, `line ${step.line}: ${about}`),
    svg("rect", { ...place, rx: step.barrier ? 0 : 1.5,
                  class: step.barrier ? "wall" : isCopyMark(step) ? step.kind : `full ${kindOf(step)}` }));
  if (view.racesIn(step)) {
    group.append(svg("rect", { x: place.x - 1, y: place.y - 1, width: place.width + 2,
                               height: place.height + 2, class: "race" }));
  }
  return group;
}
