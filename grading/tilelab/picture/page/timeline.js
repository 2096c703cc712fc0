// All steps of a block: a row per warp, a tick per request, a line per barrier.

function drawTimeline(view, width) {
  const { launch, steps } = view;
  if (!launch || steps.length === 0) return null;
  const phases = phasesOf(steps);
  const warps = 1 + Math.max(0, ...steps.map((step) => step.warp || 0));
  const columns = phases.reduce((sum, phase) => sum + phase.length + 1, 0);
  const left = 52, row = warps > 12 ? 9 : 16;
  const tick = Math.max(1.5, Math.min(16, (width - left - 8) / columns));
  const total = Math.max(width, left + columns * tick + 8), height = 6 + warps * row + 4;
  const picture = svg("svg", { width: total, height, viewBox: `0 0 ${total} ${height}`, role: "img",
                               "aria-label": "the steps of the block" });
  for (let warp = 0; warp < warps; ++warp) {
    if (row < 12 && warp % 4 !== 0) continue;
    picture.append(svg("text", { x: 0, y: 6 + warp * row + 11, class: "small" }, `warp ${warp}`));
  }
  let x = left;
  for (const phase of phases) {
    for (const [warp, ofWarp] of phase.warps) {
      ofWarp.forEach((step, i) => picture.append(tickOf(view, step, {
        x: x + i * tick, y: 6 + warp * row, width: Math.max(1, tick - 1), height: row - 3 })));
    }
    x += phase.length * tick;
    if (phase.barrier) picture.append(barrierOf(view, phase.barrier, x + tick / 2, height));
    x += tick;
  }
  return picture;
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
  const group = svg("g", { class: "tick", onclick: () => view.goTo(step) },
    svg("title", {}, `line ${step.line}: ${step.kind} in ${step.space} memory`),
    svg("rect", { ...place, rx: 1.5, class: `full ${kindOf(step)}` }));
  if (view.racesIn(step)) {
    group.append(svg("rect", { x: place.x - 1, y: place.y - 1, width: place.width + 2,
                               height: place.height + 2, class: "race" }));
  }
  if (step === view.step) {
    group.append(svg("rect", { x: place.x - 2, y: place.y - 2, width: place.width + 4,
                               height: place.height + 4, rx: 2, class: "now" }));
  }
  return group;
}

function barrierOf(view, step, x, height) {
  const group = svg("g", { class: "tick", onclick: () => view.goTo(step) },
    svg("title", {}, `line ${step.line}: barrier`),
    svg("line", { x1: x, x2: x, y1: 0, y2: height, class: "barrier" }));
  if (step === view.step) {
    group.append(svg("rect", { x: x - 4, y: 1, width: 8, height: height - 2, rx: 2, class: "now" }));
  }
  return group;
}
