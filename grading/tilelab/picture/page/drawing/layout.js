// Where the cells of an array go. An array of a grid shows one plane; of a large shared array, only
// the rows and columns that are used.

const MANY = 1000;  // from this many cells on they are too small for numbers
const GAP = 18;

function textWidth(text) { return 6.8 * text.length; }

// The lines of an element's text: four components take two.
function cellLines(array, components) {
  const texts = components.map((held) => (held ? short(held.text) : ""));
  if (!components.some((held) => held)) return [""];
  if (array.components < 4) return [texts.join(" ")];
  return [texts.slice(0, 2).join(" "), texts.slice(2).join(" ")];
}

// The length of the longest line that an element of the array may have.
function widest(array) {
  let longest = 1;
  for (const texts of [array.values, array.before || [], array.expected || []]) {
    for (let i = 0; i < texts.length; i += array.components) {
      const held = texts.slice(i, i + array.components).map((text) => ({ text }));
      for (const line of cellLines(array, held)) longest = Math.max(longest, line.length);
    }
  }
  const perLine = array.components < 4 ? array.components : 2;
  return array.role === "input" ? longest : Math.max(longest, (array.longest + 1) * perLine - 1);
}

// {columns, rows, elementAt(column, row), title} of what is shown.
function gridOf(array, axes, step, launch) {
  const isGrid = axes.length > 1 && array.role !== "shared" &&
                 array.count === axes.reduce((count, axis) => count * axis.count, 1);
  if (isGrid && axes.length === 2) return matrixOf(axes);
  if (isGrid) return planeOf(array, axes, step);
  if (array.columns > 0) return usedPart(array, launch);
  return { wraps: true, count: array.count, elementAt: (i) => i, title: "" };
}

function matrixOf([across, down]) {
  return {
    columns: across.count, rows: down.count,
    elementAt: (column, row) => column * across.stride + row * down.stride,
    title: `, ${across.name} across, ${down.name} down`,
  };
}

function planeOf(array, axes, step) {
  const [across, down, deep] = axes;
  const plane = planeOfStep(array, axes, step);
  return {
    columns: across.count, rows: down.count,
    elementAt: (column, row) => column * across.stride + row * down.stride + plane * deep.stride,
    title: `, ${across.name} across, ${down.name} down, plane ${deep.name} = ${plane}`,
  };
}

// The plane that the step is in; if it accesses another array, the one that this array saw last.
function planeOfStep(array, axes, step) {
  const part = step && !step.barrier && step.parts.find((one) => one.array === array);
  if (part) array.plane = Math.floor(part.element / axes[2].stride) % axes[2].count;
  return array.plane || 0;
}

function usedPart(array, launch) {
  if (!launch.used) launch.used = new Map();
  if (!launch.used.has(array)) {
    let columns = 0, rows = 0;
    for (const step of launch.steps) {
      for (const place of placesOf(step)) {
        if (place.array !== array) continue;
        const [first, last] = elementSpan(place, step.bytes);
        columns = Math.max(columns, first % array.columns + last - first + 1);
        rows = Math.max(rows, Math.floor(last / array.columns) + 1);
      }
    }
    launch.used.set(array, { columns, rows });
  }
  const { columns, rows } = launch.used.get(array);
  const all = Math.ceil(array.count / array.columns), spare = array.columns - columns;
  const isPadded = columns > 1 && spare > 0 && spare <= MOST_PADDING;
  const isPart = (spare > 0 && !isPadded) || rows < all;
  return {
    columns: isPadded ? array.columns : columns, rows, used: columns,
    elementAt: (column, row) => row * array.columns + column,
    title: (isPart ? `, the ${rows} of ${all} rows and ${columns} of ${array.columns} columns in use` : "") +
           (isPadded ? `, ${spare === 1 ? "column" : "columns from"} ${columns} unused` : ""),
  };
}

const MOST_PADDING = 4;  // columns that nobody uses, and that only shift the rows

// The bank of an element's first word.
function bankOf(array, element) {
  return Math.floor((array.begin + element * array.element_bytes) / WORD) % BANKS;
}

// Lets a row of a tile take several lines, where it has no room in one.
function foldRows(grid, most) {
  const { columns, elementAt } = grid;
  const lines = Math.ceil(columns / most), perLine = Math.ceil(columns / lines / 4) * 4;
  grid.columns = Math.min(perLine, most);
  grid.rows *= Math.ceil(columns / grid.columns);
  const perRow = Math.ceil(columns / grid.columns);
  grid.elementAt = (column, line) => {
    const at = line % perRow * grid.columns + column;
    return at < columns ? elementAt(at, Math.floor(line / perRow)) : NaN;
  };
}

// The box of an array: its size, and the rectangle of each element in it.
function boxOf(array, view, width) {
  const { model, step, launch } = view;
  const grid = gridOf(array, model.axes, step, launch);
  const count = grid.wraps ? grid.count : grid.columns * grid.rows;
  const isTiny = count > MANY;
  const lines = array.components < 4 || isTiny ? 1 : 2;
  // As large as a row of them may be.
  const least = Math.max(20, !grid.wraps ? 0 : count <= 32 ? Math.min(40, Math.floor((width - 2) / count) - 2) : 24);
  const cellWidth = isTiny ? 12 : Math.max(least, widest(array) * 7.6 + 6);
  const cellHeight = isTiny ? 12 : 10 + 14 * lines;
  // Room for the index above, and for what should be there, or who stored it, below.
  const isFolded = !grid.wraps && array.role === "shared" && grid.columns * (cellWidth + 2) > width;
  const above = isTiny || !(grid.wraps || isFolded) ? 0 : 12;
  const below = isTiny ? 0 : array.expected ? 2 + 12 * lines : array.role === "shared" ? 13 : 2;
  const hasBanks = array.role === "shared" && !grid.wraps && !isFolded && !isTiny;
  if (grid.wraps) {
    let columns = Math.max(1, Math.floor((width - 2) / (cellWidth + 2)));
    if (columns < count && columns > 4) columns -= columns % 4;
    grid.columns = Math.min(columns, Math.max(count, 1));
    grid.rows = Math.ceil(count / grid.columns);
    const { columns: perRow } = grid;
    grid.elementAt = (column, row) => row * perRow + column;
  }
  if (isFolded) foldRows(grid, Math.floor((width - 2) / (cellWidth + 2)));
  const pitch = { x: cellWidth + 2, y: above + cellHeight + below + (isTiny ? 0 : 2) };
  const cells = new Map();
  for (let row = 0; row < grid.rows; ++row) {
    for (let column = 0; column < grid.columns; ++column) {
      const element = grid.elementAt(column, row);
      if (!(element < array.count)) continue;
      cells.set(element, { x: column * pitch.x, y: 20 + row * pitch.y + above,
                           width: cellWidth, height: cellHeight });
    }
  }
  const name = arrayName(array), about = ABOUT[array.role] + grid.title + (hasBanks ? "; below each slot, its bank" : "");
  return {
    array, cells, isTiny, lines, name, about, pitch: pitch.x, wraps: Boolean(grid.wraps),
    used: grid.used, hasBanks, hasNotes: below > 2, hasIndices: above > 0,
    width: Math.max(grid.columns * pitch.x, textWidth(name) + 5.4 * about.length + 10),
    height: 20 + grid.rows * pitch.y,
  };
}

const ABOUT = {
  input: "input in global memory", output: "output in global memory; below, what is expected",
  returned: "returned; below, what is expected",
  shared: "shared memory of this block", scratch: "global memory",
};

// Places boxes in rows from the left, as far as the width goes. Lists of elements get rows of their
// own, so that each begins at the left.
function flow(boxes, width, top) {
  let x = 0, y = top, height = 0;
  for (const box of boxes) {
    if (x > 0 && (box.wraps || x + box.width > width)) {
      x = 0;
      y += height + GAP;
      height = 0;
    }
    box.x = x;
    box.y = y;
    x += box.width + GAP;
    height = Math.max(height, box.height);
  }
  return boxes.length ? y + height : top;
}
