// A request close up: the sectors of global memory that it touches, or its words by bank.

const WORD = 4, SECTOR = 32, BANKS = 32;

function drawRequest(step, width) {
  if (!step || step.barrier || isCopyMark(step)) return null;
  return step.space === "global" || isCopy(step) ? drawSectors(step, width) : drawBanks(step, width);
}

// --- Sectors -------------------------------------------------------------------------------------

function sectorsOf(step) {
  const sectors = new Map();
  for (const part of placesOf(step).filter((one) => one.array.space === "global")) {
    const begin = part.array.begin + part.offset;
    for (let byte = begin; byte < begin + step.bytes; byte += WORD) {
      const number = Math.floor(byte / SECTOR);
      const key = `${part.array.name}/${number}`;
      if (!sectors.has(key)) sectors.set(key, { array: part.array, number, words: new Map() });
      const { words } = sectors.get(key);
      const word = Math.floor(byte % SECTOR / WORD);
      words.set(word, (words.get(word) || 0) + 1);
    }
  }
  return [...sectors.values()].sort((a, b) => a.number - b.number);
}

function drawSectors(step, width) {
  const sectors = sectorsOf(step), kind = kindOf(step);
  const word = 15, pitch = 8 * word + 14;
  const perRow = Math.max(1, Math.floor((width + 12) / pitch));
  const height = 44 * Math.ceil(sectors.length / perRow);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
                               "aria-label": `${plural(sectors.length, "sector")} of 32 bytes` }, hatch());
  sectors.forEach((sector, i) => {
    const x = 1 + pitch * (i % perRow), y = 44 * Math.floor(i / perRow);
    const group = svg("g", { transform: `translate(${x}, ${y})` },
                      svg("text", { y: 11, class: "small" }, sectorText(sector)));
    for (let k = 0; k < 8; ++k) {
      const lanes = sector.words.get(k);
      group.append(svg("rect", { x: k * word, y: 16, width: word - 1, height: 18,
                                 class: lanes ? `full ${kind}` : "cell" },
                       svg("title", {}, lanes ? `asked for by ${plural(lanes, "thread")}`
                                              : "moved, and not asked for")));
      if (lanes > 1) {
        group.append(svg("text", { x: k * word + word / 2, y: 29, class: "value inverse tiny" },
                         String(lanes)));
      }
    }
    group.append(svg("rect", { x: -1, y: 15, width: 8 * word + 1, height: 20, class: "frame" }));
    picture.append(group);
  });
  return picture;
}

function sectorText({ array, number }) {
  const first = (number * SECTOR - array.begin) / array.element_bytes;
  const last = ((number + 1) * SECTOR - array.begin) / array.element_bytes - 1e-9;
  const name = array.name || "memory";
  return first < 0 ? `before ${name}[0]` : `${name}[${Math.floor(first)}..${Math.floor(last)}]`;
}

// --- Banks ---------------------------------------------------------------------------------------

// The lanes of a wide access take turns: half of a warp's 8-byte accesses at a time, a quarter of
// its 16-byte ones.
function lanesPerPass(bytes) { return bytes <= WORD ? 32 : 128 / bytes; }

function lanesText(pass, bytes) {
  const count = lanesPerPass(bytes);
  return `lanes ${pass * count} to ${(pass + 1) * count - 1}`;
}

function wordsByBank(step) {
  const passes = new Map();
  for (const part of step.parts) {
    const pass = Math.floor(part.lane / lanesPerPass(step.bytes));
    if (!passes.has(pass)) passes.set(pass, Array.from({ length: BANKS }, () => new Map()));
    const first = Math.floor((part.array.begin + part.offset) / WORD);
    for (let k = 0; k < Math.max(1, step.bytes / WORD); ++k) {
      const words = passes.get(pass)[(first + k) % BANKS];
      const key = `${part.array.name}/${first + k}`;
      if (!words.has(key)) words.set(key, { part, lanes: 0 });
      ++words.get(key).lanes;
    }
  }
  return [...passes.entries()].sort((a, b) => a[0] - b[0]);
}

function drawBanks(step, width) {
  const passes = wordsByBank(step), kind = kindOf(step);
  const column = Math.max(9, Math.min(24, Math.floor((width - 2) / BANKS)));
  const cell = 18;
  let y = 14;
  const picture = svg("svg", { width: BANKS * column + 2, role: "img",
                               "aria-label": "the words of the request by bank" });
  for (let bank = 0; bank < BANKS; bank += column < 14 ? 4 : 1) {
    picture.append(svg("text", { x: bank * column + column / 2, y: 10, class: "tiny middle" }, String(bank)));
  }
  for (const [pass, banks] of passes) {
    if (passes.length > 1) {
      picture.append(svg("text", { y: y + 11, class: "tiny" }, lanesText(pass, step.bytes)));
      y += 15;
    }
    const deepest = Math.max(1, ...banks.map((words) => words.size));
    banks.forEach((words, bank) => {
      const all = [...words.values()];
      for (let row = 0; row < deepest; ++row) {
        const one = all[row];
        const isConflict = all.length > 1;
        picture.append(svg("rect", {
          x: bank * column, y: y + row * cell, width: column - 1, height: cell - 1,
          class: one ? `full ${kind}${isConflict ? " bad" : ""}` : "cell",
        }, one ? svg("title", {}, `${elementName(one.part.array, one.part.element)}, asked for by ${
          plural(one.lanes, "thread")}`) : null));
        if (one && one.lanes > 1 && column >= 14) {
          picture.append(svg("text", { x: bank * column + column / 2, y: y + row * cell + 12,
                                       class: "value inverse tiny" }, `\u00d7${one.lanes}`));
        }
      }
    });
    y += deepest * cell + 4;
  }
  fill(picture, { height: y, viewBox: `0 0 ${BANKS * column + 2} ${y}` }, []);
  return picture;
}
