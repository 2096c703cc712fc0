// All steps of a block: a row per warp, a tick per request, a line per barrier.

// Draws them once; mark() then moves the frame to a step.
function drawTimeline(view, width) {
  const { launch, steps } = view;
  if (!launch || steps.length === 0) return null;
  const phases = phasesOf(steps);
  const warps = steps.reduce((most, step) => Math.max(most, (step.warp || 0) + 1), 1);
  const columns = phases.reduce((sum, phase) => sum + phase.length + 1, 0);
  const left = 52, row = warps > 12 ? 9 : 16;
  const tick = Math.max(1.5, Math.min(16, (width - left - 8) / columns));
  const total = Math.max(width, left + columns * tick + 8), height = 6 + warps * row + 4;
  const picture = svg("svg", { width: total, height, viewBox: `0 0 ${total} ${height}`, role: "img",
                               "aria-label": "the steps of the block" });
  for (let warp = 0; warp < warps; warp += row < 12 ? 4 : 1) {
    picture.append(svg("text", { x: 0, y: 6 + warp * row + 11, class: "small" }, `warp ${warp}`));
  }
  const places = new Map();
  let x = left;
  for (const phase of phases) {
    for (const [warp, ofWarp] of phase.warps) {
      ofWarp.forEach((step, i) => places.set(step, {
        x: x + i * tick, y: 6 + warp * row, width: Math.max(1, tick - 1), height: row - 3 }));
    }
    x += phase.length * tick;
    if (phase.barrier) places.set(phase.barrier, { x: x + tick / 2 - 1, y: 0, width: 2, height });
    x += tick;
  }
  for (const [step, place] of places) picture.append(tickOf(view, step, place));
  const frame = svg("rect", { rx: 2, class: "now" });
  picture.append(frame);
  const mark = (step) => {
    const { x: at, y, width: wide, height: high } = places.get(step);
    fill(frame, { x: at - 2, y: y - 2, width: wide + 4, height: high + 4 }, []);
  };
  return { picture, mark };
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

function tickOf(view, step, place) {
  const about = step.barrier ? "barrier" : `${step.kind} in ${step.space} memory`;
  const group = svg("g", { class: "tick", onclick: () => view.goTo(step) },
    svg("title", {}, `line ${step.line}: ${about}`),
    svg("rect", { ...place, rx: step.barrier ? 0 : 1.5,
                  class: step.barrier ? "wall" : `full ${kindOf(step)}` }));
  if (view.racesIn(step)) {
    group.append(svg("rect", { x: place.x - 1, y: place.y - 1, width: place.width + 2,
                               height: place.height + 2, class: "race" }));
  }
  return group;
}
