// What both kernels move, side by side.

function sumOf(call, kinds, name) {
  let sum = 0;
  for (const launch of call.launches) {
    for (const kind of kinds) sum += (launch.totals[kind] || {})[name] || 0;
  }
  return sum;
}

const COUNTS = [
  ["Loads from global memory", ["global_loads"], "thread_accesses"],
  ["\u2026 sectors they move", ["global_loads"], "sectors"],
  ["Stores to global memory", ["global_stores"], "thread_accesses"],
  ["\u2026 sectors they move", ["global_stores"], "sectors"],
  ["Atomic operations", ["global_atomics", "shared_atomics"], "thread_accesses"],
  ["Loads from shared memory", ["shared_loads"], "thread_accesses"],
  ["Stores to shared memory", ["shared_stores"], "thread_accesses"],
  ["\u2026 wavefronts of both", ["shared_loads", "shared_stores"], "wavefronts"],
  ["Bank conflicts", ["shared_loads", "shared_stores"], "bank_conflicts"],
];

function barriersOf(model) {
  return model.launches.reduce(
    (sum, launch) => sum + launch.steps.filter((step) => step.barrier).length, 0);
}

function wrongOf(call) {
  if (call.failure) return "the launch failed";
  const wrong = call.outputs.reduce((sum, output) => sum + output.wrong.length, 0);
  return wrong === 0 ? "none" : String(wrong);
}

function countsTable(kernels, models) {
  const row = (label, texts) => html("tr", {}, html("th", { scope: "row" }, label),
                                     texts.map((text) => html("td", {}, text)));
  const rows = COUNTS
    .map(([label, kinds, name]) => [label, models.map((m) => sumOf(m.call, kinds, name))])
    .filter(([, counts]) => counts.some((count) => count > 0))
    .map(([label, counts]) => row(label, counts.map((count) => count.toLocaleString("en-US"))));
  return html("table", { class: "counts" },
    html("thead", {}, html("tr", {}, html("th", {}), kernels.map((k) => html("th", { scope: "col" }, k.label)))),
    html("tbody", {}, rows,
      row("Barriers that blocks passed", models.map((m) => String(barriersOf(m)))),
      row("Wrong elements", models.map((m) => wrongOf(m.call)))));
}
