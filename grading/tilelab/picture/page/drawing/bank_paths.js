// A column of a tile on its way through the banks: straight down one of them, or, in rows that are
// padded, through many.

const MOST_PATHS = 8;

function drawBankPaths(step) {
  if (!step || step.space !== "shared" || isCopy(step)) return null;
  const paths = pathsOf(step);
  if (paths.length === 0) return null;
  const shown = paths.slice(0, MOST_PATHS);
  return html("div", {}, html("p", { class: "muted" }, pathText(paths[0])), drawPaths(shown, kindOf(step)));
}

// The columns that the step accesses in several rows: {array, column, places: [{row, bank}]}.
function pathsOf(step) {
  const paths = new Map();
  for (const { array, element } of step.parts) {
    if (array.columns === 0) continue;
    const column = element % array.columns, key = `${arrayName(array)}/${column}`;
    if (!paths.has(key)) paths.set(key, { array, column, places: new Map() });
    const row = Math.floor(element / array.columns);
    paths.get(key).places.set(row, { row, bank: bankOf(array, element) });
  }
  return [...paths.values()]
    .map((path) => ({ ...path, places: [...path.places.values()].sort((a, b) => a.row - b.row) }))
    .filter((path) => path.places.length > 1);
}

function pathText({ array, column, places }) {
  const banks = [...new Set(places.map((place) => place.bank))];
  const what = `Column ${column} of ${arrayName(array)}`;
  if (banks.length === 1) return `${what} is in bank ${banks[0]} in all ${places.length} rows.`;
  return `${what} goes through ${banks.length} banks in ${places.length} rows: ${numbersText(banks)}.`;
}

// After the last bank comes the first one again: the line ends there, and begins anew.
function piecesOf(places) {
  const pieces = [[]];
  for (const place of places) {
    const piece = pieces[pieces.length - 1], last = piece[piece.length - 1];
    if (last && Math.abs(place.bank - last.bank) > BANKS / 2) pieces.push([place]);
    else piece.push(place);
  }
  return pieces;
}

function drawPaths(paths, kind) {
  const rows = [...new Set(paths.flatMap((path) => path.places.map((place) => place.row)))].sort((a, b) => a - b);
  const left = 62, column = 14, row = rows.length > 12 ? 8 : 14, top = 14;
  const width = left + BANKS * column, height = top + rows.length * row + 2;
  const middleOf = (place) => [left + (place.bank + 0.5) * column, top + (rows.indexOf(place.row) + 0.5) * row];
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
                               "aria-label": paths.map(pathText).join(" ") });
  for (let bank = 0; bank < BANKS; bank += 4) {
    picture.append(svg("text", { x: left + (bank + 0.5) * column, y: 10, class: "tiny middle" }, String(bank)));
  }
  rows.forEach((number, i) => {
    if (row >= 14 || i % 4 === 0) {
      picture.append(svg("text", { x: 0, y: top + (i + 0.5) * row + 4, class: "tiny" },
                         `${arrayName(paths[0].array).slice(0, 8)}[${number}]`));
    }
    picture.append(svg("rect", { x: left, y: top + i * row, width: BANKS * column, height: row - 1, class: "cell" }));
  });
  for (const path of paths) {
    for (const piece of piecesOf(path.places)) {
      picture.append(svg("polyline", { points: piece.map((place) => middleOf(place).join(",")).join(" "),
                                       class: `way path ${kind}` }));
    }
    for (const place of path.places) {
      const [x, y] = middleOf(place);
      picture.append(svg("circle", { cx: x, cy: y, r: row < 14 ? 2.5 : 4, class: `full ${kind}` }));
    }
  }
  return picture;
}
