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
  }, hatch());
  // Lines pass behind the cells, so that they cross no number. Only their heads are in front.
  const ways = waysOf(view, boxes, lanes);
  picture.append(...ways.map(drawWay), ...boxes.map((box) => drawBox(view, box, memory)),
                 ...ways.map(drawHead), hiddenText(view, ways, lanes), drawLanes(view, lanes),
                 drawTitles(boxes));
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
                   coming ? "coming" : "", isSpare(box, element) ? "spare" : ""];
  const group = svg("g", { transform: `translate(${cell.x}, ${cell.y})` },
    svg("title", {}, cellTitle(view, array, element, held) + (coming
      ? `; ${coming.map((one) => (one ? one.text : "")).join(", ")} is on its way` : "")),
    svg("rect", { width: cell.width, height: cell.height, rx: box.isTiny ? 1 : 4,
                  class: classes.filter(Boolean).join(" ") }));
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
  } else if (box.hasBanks) {
    group.append(svg("text", { x: middle, y: cell.height + 10, class: "tiny middle" },
                     String(bankOf(array, element))));
  } else if (box.hasNotes) group.append(...drawNotes(view, box, cell, element, held, isWrong));
  return group;
}

// Whether it is in a column that pads the rows of a tile.
function isSpare(box, element) {
  return box.used > 0 && element % box.array.columns >= box.used;
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
