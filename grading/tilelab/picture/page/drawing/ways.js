// Who accesses what: lines between threads and elements.

// The ends of each line, in the direction in which data moves.
function waysOf(view, boxes, lanes) {
  const { step } = view;
  if (!step || step.barrier) return [];
  const ways = step.parts.map((part) => (isCopy(step) ? copyWay(part, boxes)
                                                      : laneWay(step, part, boxes, lanes)));
  return ways.filter((way) => way !== null).map(([from, to]) => ({ from, to, kind: kindOf(step) }));
}

function laneWay(step, part, boxes, lanes) {
  const lane = lanes.places[part.lane], box = boxes.find((one) => one.array === part.array);
  const isAbove = box && box.y < lanes.top, cell = cellEnd(part, boxes, isAbove);
  if (!cell || !lane) return null;
  const end = { x: lane.x, y: lane.y + (isAbove ? -lanes.radius : lanes.radius) };
  return step.kind === "load" ? [cell, end] : [end, cell];
}

// A copy goes past the threads.
function copyWay(part, boxes) {
  const goesDown = part.from && part.from.array.space === "global";
  const from = part.from && cellEnd(part.from, boxes, goesDown), to = cellEnd(part, boxes, !goesDown);
  return from && to ? [from, to] : null;
}

// Where a line meets the cell of an element. Above a cell there is room for its index.
function cellEnd(place, boxes, isBelow) {
  const box = boxes.find((one) => one.array === place.array);
  const cell = box && box.cells.get(place.element);
  return cell && { x: box.x + cell.x + cell.width / 2,
                   y: box.y + cell.y + (isBelow ? cell.height : box.hasIndices ? -10 : 0) };
}

function hiddenText(view, ways, lanes) {
  const { step } = view;
  const hidden = step && step.parts ? step.parts.length - ways.length : 0;
  if (hidden === 0 || isCopy(step)) return svg("g", {});
  return svg("text", { y: lanes.top - 8, class: "small" },
             `${plural(hidden, "access")} of this request outside of the picture`);
}

function drawWay({ from, to, kind }) {
  const middle = (from.y + to.y) / 2, end = to.y + (to.y > from.y ? -5 : 5);
  return svg("path", { class: `way ${kind}`,
    d: `M ${from.x} ${from.y} C ${from.x} ${middle}, ${to.x} ${middle}, ${to.x} ${end}` });
}

function drawHead({ from, to, kind }) {
  return svg("path", { d: `M ${to.x} ${to.y} l -4 ${to.y > from.y ? -6 : 6} h 8 z`,
                       class: `arrow ${kind}` });
}
