// The picture: inputs, the threads of a warp, the tile, outputs, and who accesses what.

const EDGE = 4;  // for the frames of the cells at the left and right

function drawStage(view, outerWidth) {
  const width = outerWidth - 2 * EDGE;
  const { model, step, memory } = view;
  const boxesOf = (...roles) => model.arrays.filter((array) => roles.includes(array.role))
    .map((array) => boxOf(array, view, width));
  const above = boxesOf("input");
  const below = [...boxesOf("shared"), ...boxesOf("scratch"), ...boxesOf("output", "returned")];
  const lanesTop = flow(above, width, 0) + 44;
  const lanes = lanesOf(view, width, lanesTop, below[0]);
  const bottom = flow(below, width, lanes.bottom + 44) + 8;
  const boxes = [...above, ...below];
  const right = Math.max(width, ...boxes.map((box) => box.x + box.width));
  const picture = svg("svg", {
    width: right + 2 * EDGE, height: bottom,
    viewBox: `${-EDGE} 0 ${right + 2 * EDGE} ${bottom}`, role: "img",
    "aria-label": view.sentence, class: step && step.parts && step.parts.length > 8 ? "many" : "",
  }, hatch(), boxes.map((box) => drawBox(view, box, memory)));
  picture.append(...drawWays(view, boxes, lanes), drawLanes(view, lanes), drawTitles(boxes));
  return picture;
}

function hatch() {
  return svg("defs", {}, svg("pattern",
    { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)" },
    svg("rect", { width: 6, height: 6, class: "cell", stroke: "none" }),
    svg("line", { y2: 6, class: "hatch", "stroke-width": 2 })));
}

function drawBox(view, box, memory) {
  const { array } = box;
  const group = svg("g", { transform: `translate(${box.x}, ${box.y})` });
  for (const [element, cell] of box.cells) {
    group.append(drawCell(view, box, cell, element, memory));
  }
  return group;
}

// On top of everything, so that nothing crosses them.
function drawTitles(boxes) {
  return svg("g", {}, boxes.map(
    (box) => svg("text", { x: box.x, y: box.y + 12, class: "label" }, box.name,
                 svg("tspan", { dx: 6, class: "about" }, box.about))));
}

// Whether a thread stored what the element holds.
function wasStored(held) { return held.some((one) => one && one.rank !== undefined); }

function drawCell(view, box, cell, element, memory) {
  const { array } = box;
  const held = componentsOf(memory, array, element);
  const coming = comingTo(memory, array, element);
  const isEmpty = !held.some((one) => one) && !coming;
  const touch = view.touched(array, element);
  const isDone = wasStored(held) || array.unwritten.has(element) || array.role === "returned";
  const isWrong = array.wrong.has(element) && isDone;
  const classes = ["cell", isEmpty ? "empty" : "", touch ? `touched ${touch}` : isWrong ? "bad" : "",
                   coming ? "coming" : ""];
  const group = svg("g", { transform: `translate(${cell.x}, ${cell.y})` },
    svg("title", {}, cellTitle(view, array, element, held) + (coming
      ? `; ${coming.map((one) => (one ? one.text : "")).join(", ")} is on its way` : "")),
    svg("rect", { width: cell.width, height: cell.height, rx: box.isTiny ? 1 : 4,
                  class: classes.join(" ") }));
  if (view.races(array, element)) {
    group.append(svg("rect", { x: -2, y: -2, width: cell.width + 4, height: cell.height + 4,
                               rx: 5, class: "race" }));
  }
  if (box.isTiny) return group;
  const middle = cell.width / 2;
  cellLines(array, coming || held).forEach((line, i) => group.append(
    svg("text", { x: middle, y: 17 + 14 * i,
                  class: `value ${isWrong ? "badtext" : coming ? "flying" : ""}` }, line)));
  if (box.hasIndices) {
    group.append(svg("text", { x: middle, y: -3, class: "tiny middle" }, indexOf(array, element)));
  }
  if (coming && box.hasNotes) {
    const { number } = coming.find((one) => one).flight;
    group.append(svg("text", { x: middle, y: cell.height + 10, class: "tiny middle flying" }, `b${number}`));
  } else if (box.hasNotes) group.append(...drawNotes(view, box, cell, element, held, isWrong));
  return group;
}

// "17", or "[1][0]" where a row of a tile begins and "17" in it.
function indexOf(array, element) {
  if (array.columns === 0) return String(element);
  const column = element % array.columns;
  return column === 0 ? `[${element / array.columns}][0]` : String(column);
}

// What copies in flight will write to the element; null if there are none.
function comingTo(memory, array, element) {
  const all = memory.coming.get(array);
  if (!all) return null;
  const first = element * array.components;
  const held = Array.from({ length: array.components }, (_, k) => all.get(first + k));
  return held.some((one) => one) ? held : null;
}

// Below an output: what it should hold. Below a slot of the tile: the thread that stored it.
function drawNotes(view, box, cell, element, held, isWrong) {
  const { array } = box;
  const middle = cell.width / 2;
  if (array.role === "shared") {
    const writer = held.find((one) => one && one.rank !== undefined);
    if (!writer) return [];
    const index = indexText(threadIndex(writer.rank, view.launch.block), view.launch.block);
    return [svg("text", { x: middle, y: cell.height + 10, class: "tiny middle" }, `t${index}`)];
  }
  const wanted = array.expected.slice(element * array.components, (element + 1) * array.components)
    .map((text) => ({ text }));
  const isWritten = wasStored(held) || array.role === "returned";
  const isRight = isWritten && !array.wrong.has(element);
  const mark = isWrong ? "\u2717 " : isRight && cell.width >= 34 ? "\u2713 " : "";
  const kind = isWrong ? "badtext" : isRight ? "goodtext" : "";
  let lines = cellLines(array, wanted);
  if (isWrong && isWritten && lines.join() === cellLines(array, held).join()) {
    // What is wrong is in the digits that have no room.
    lines = [`by ${short(String(furthest(held, wanted)))}`];
  }
  return lines.map((line, i) => svg(
    "text", { x: middle, y: cell.height + 10 + 11 * i, class: `tiny middle ${kind}` },
    (i === 0 ? mark : "") + line));
}

// The largest difference of two components.
function furthest(held, wanted) {
  return Math.max(...held.map((one, k) => Math.abs(Number(one && one.text) - Number(wanted[k].text))));
}

function cellTitle(view, array, element, held) {
  const texts = held.map((one) => (one ? one.text : "nothing yet"));
  const wanted = array.expected
    ? `, should be ${array.expected.slice(element * array.components,
                                          (element + 1) * array.components).join(", ")}` : "";
  const writer = held.find((one) => one && one.rank !== undefined);
  const by = writer ? `, stored by thread ${indexText(
    threadIndex(writer.rank, view.launch.block), view.launch.block)} of block ${indexText(
    blockIndex(writer.block, view.launch.grid), view.launch.grid)}` : "";
  return `${elementName(array, element)}: ${texts.join(", ")}${by}${wanted}`;
}

// --- The threads ---------------------------------------------------------------------------------

// Threads stand above the slots of the same number, where there is room.
function lanesOf(view, width, top, tile) {
  const { launch, warp } = view;
  if (!launch) return { count: 0, top, bottom: top, places: [] };
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const count = Math.min(32, threads - 32 * warp);
  const usual = tile && tile.wraps && !tile.isTiny && tile.pitch <= 100 ? tile.pitch : 42;
  const pitch = count * usual <= width ? usual : Math.max(20, Math.min(42, width / count));
  const perRow = Math.max(1, Math.min(count, Math.floor(width / pitch)));
  const places = [];
  for (let lane = 0; lane < count; ++lane) {
    places.push({ x: pitch * (lane % perRow) + pitch / 2,
                  y: top + 34 * Math.floor(lane / perRow) + 30 });
  }
  return { count, top, places, radius: Math.min(13, pitch / 2 - 1),
           bottom: top + 34 * Math.ceil(count / perRow) + 14 };
}

function drawLanes(view, lanes) {
  const { launch, step, warp } = view;
  if (!launch) return svg("g", {});
  const block = indexText(view.block, launch.grid);
  const active = new Set(step && !step.barrier ? step.lanes : []);
  const indices = lanes.places.map((_, lane) => threadIndex(32 * warp + lane, launch.block));
  const isRow = indices.every(([, y, z]) => y === indices[0][1] && z === indices[0][2]);
  const isFlat = launch.block[1] * launch.block[2] === 1;
  const row = isFlat || !isRow ? "" : `, threadIdx.y = ${indices[0][1]}` +
    (launch.block[2] > 1 ? `, threadIdx.z = ${indices[0][2]}` : "");
  const group = svg("g", {}, svg("text", { y: lanes.top + 8, class: "label" },
                                 `Threads of block ${block}, warp ${warp}${row}`));
  lanes.places.forEach(({ x, y }, lane) => {
    const index = indices[lane];
    const isActive = active.has(lane) || (step && step.barrier);
    const kind = step && !step.barrier && isActive ? `full ${kindOf(step)}` : "lane";
    const name = isRow ? String(index[0]) : index.slice(0, 2).join(",");
    group.append(svg("g", {}, svg("title", {}, `thread ${indexText(index, launch.block)}`),
      svg("circle", { cx: x, cy: y, r: lanes.radius, class: kind }),
      svg("text", { x, y: y + 4, class: `value ${kind === "lane" ? "" : "inverse"} ${
        name.length > 2 ? "small" : ""}` }, name)));
  });
  if (step && step.barrier && lanes.places.length) {
    const last = lanes.places[lanes.places.length - 1];
    const right = Math.max(...lanes.places.map((place) => place.x)) + lanes.radius + 8;
    group.append(svg("line", { x1: 0, x2: right, y1: last.y + 20, y2: last.y + 20, class: "barrier" }),
                 svg("text", { y: last.y + 34, class: "small" }, "barrier"));
  }
  return group;
}

// --- Who accesses what ---------------------------------------------------------------------------

function drawWays(view, boxes, lanes) {
  const { step } = view;
  if (!step || step.barrier) return [];
  const kind = kindOf(step), drawn = [];
  let hidden = 0;
  if (isCopy(step)) return drawCopyWays(step, boxes);
  for (const part of step.parts) {
    const box = boxes.find((one) => one.array === part.array);
    const cell = box && box.cells.get(part.element), lane = lanes.places[part.lane];
    if (!cell || !lane) {
      ++hidden;
      continue;
    }
    const x = box.x + cell.x + cell.width / 2;
    const isAbove = box.y < lanes.top;
    // Above a cell there is room for its index.
    const y = box.y + cell.y + (isAbove ? cell.height : box.hasIndices ? -10 : 0);
    const laneY = lane.y + (isAbove ? -lanes.radius : lanes.radius);
    const [from, to] = step.kind === "load" ? [{ x, y }, { x: lane.x, y: laneY }]
                                            : [{ x: lane.x, y: laneY }, { x, y }];
    drawn.push(wayBetween(from, to, kind));
  }
  if (hidden > 0) {
    drawn.push(svg("text", { y: lanes.top - 8, class: "small" },
                   `${plural(hidden, "access")} of this request outside of the picture`));
  }
  return drawn;
}

// A copy goes past the threads.
function drawCopyWays(step, boxes) {
  const endOf = (place, isUpper) => {
    const box = place && boxes.find((one) => one.array === place.array);
    const cell = box && box.cells.get(place.element);
    return cell && { x: box.x + cell.x + cell.width / 2,
                     y: box.y + cell.y + (isUpper ? cell.height : box.hasIndices ? -10 : 0) };
  };
  return step.parts.map((part) => {
    const goesDown = part.from && part.from.array.space === "global";
    const from = endOf(part.from, goesDown), to = endOf(part, !goesDown);
    return from && to ? wayBetween(from, to, "copy") : "";
  });
}

function wayBetween(from, to, kind) {
  const middle = (from.y + to.y) / 2;
  const end = to.y + (to.y > from.y ? -5 : 5);
  const down = to.y > from.y ? -6 : 6;
  return svg("g", {},
    svg("path", { d: `M ${from.x} ${from.y} C ${from.x} ${middle}, ${to.x} ${middle}, ${to.x} ${end}`,
                  class: `way ${kind}` }),
    svg("path", { d: `M ${to.x} ${to.y} l -4 ${down} h 8 z`, class: `arrow ${kind}` }));
}
