// What the checked build found wrong, with the steps that it is about.

// Adds to each finding its steps in the trace: [{launch, step}].
function locateFindings(model) {
  model.launches.forEach((launch, number) => {
    countBarriers(launch);
    for (const finding of launch.findings) {
      finding.steps = stepsOf(launch, finding);
      finding.launch = number;
    }
  });
}

// How many barriers the block of each step has passed before it.
function countBarriers(launch) {
  const passed = new Map();
  for (const step of launch.steps) {
    step.phase = passed.get(step.block) || 0;
    if (step.barrier) passed.set(step.block, step.phase + 1);
  }
}

// A line that runs often has many steps. A race is between two that no barrier separates.
function stepsOf(launch, finding) {
  const all = finding.accesses.map(
    (access) => launch.steps.filter((step) => isStepOf(step, launch, finding, access)));
  for (const first of all[0] || []) {
    const second = (all[1] || []).find(
      (step) => step.block !== first.block || step.phase === first.phase);
    if (second) return [first, second];
  }
  return all.map((steps) => steps[0] || null);
}

function isStepOf(step, launch, finding, access) {
  if (step.barrier || step.line !== access.line) return false;
  if (step.kind !== access.kind && !isCopy(step)) return false;
  if (step.block !== rankOf(access.block, launch.grid)) return false;
  const rank = rankOf(access.thread, launch.block);
  return step.parts.some((part) => part.rank === rank && touches(
    isCopy(step) && access.kind === "load" ? part.from || part : part, finding));
}

// A finding names a place by array and element. Where the emulator does not know an array's type, its
// elements are as wide as the access.
function touches(part, finding) {
  if (part.array.space !== finding.space || part.array.name !== finding.name) return false;
  if (isOfContract(part.array)) return part.element === finding.index;
  return Math.floor(part.offset / finding.bytes) === finding.index;
}

function isOfContract(array) { return array.role === "input" || array.role === "output"; }

function elementOf(array, finding) {
  if (array.space !== finding.space || array.name !== finding.name) return -1;
  if (isOfContract(array)) return finding.index;
  return Math.floor(finding.index * finding.bytes / array.element_bytes);
}

// What a step is told of the race that it is in.
function raceText(finding, step) {
  const other = finding.steps.find((one) => one && one !== step) || step;
  return `This is one side of a data race. The other is line ${other.line}` +
         `${other.block === step.block ? ", with no barrier between them" : ", in another block"}: ` +
         "which of them comes first is chance.";
}

// Findings that are mistakes, not just worth a look.
function mistakesOf(model) {
  return model.launches.flatMap((launch) => launch.findings).filter((finding) => !finding.note);
}

function findingsList(view) {
  const found = view.model.launches.flatMap((launch) => launch.findings);
  if (found.length === 0) return null;
  return html("section", {}, html("h3", {}, "What is wrong in these accesses"),
    html("ul", { class: "findings" }, found.map((finding) => html("li", {},
      html("p", { class: finding.note ? "" : "wrong" }, finding.text),
      finding.steps.map((step, i) => step && html("button", {
        onclick: () => view.goTo(step, finding.launch),
      }, `${i === 0 ? "First" : "Second"} access: line ${step.line}`))))));
}
