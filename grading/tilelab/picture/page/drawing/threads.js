// The threads of a warp.

// Threads stand above the slots of the same number, where there is room. Those of a block with
// several rows stand in rows, too.
function lanesOf(view, width, top, tile) {
  const { launch, warp } = view;
  if (!launch) return { count: 0, top, bottom: top, places: [] };
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const count = Math.min(32, threads - 32 * warp);
  const rows = rowsOf(launch.block, warp, count);
  const isGrid = rows.length > 1 && launch.block[0] * 30 <= width;
  const usual = tile && tile.wraps && !tile.isTiny && tile.pitch <= 100 ? tile.pitch : 42;
  const pitch = isGrid ? Math.min(42, width / launch.block[0])
              : count * usual <= width ? usual : Math.max(18, Math.min(42, width / count));
  const perRow = Math.max(1, Math.min(count, Math.floor(width / pitch)));
  const places = [];
  for (let lane = 0; lane < count; ++lane) {
    const [x] = threadIndex(32 * warp + lane, launch.block);
    const row = isGrid ? rows.indexOf(rowOf(32 * warp + lane, launch.block)) : Math.floor(lane / perRow);
    const column = isGrid ? x : lane % perRow;
    places.push({ x: pitch * column + pitch / 2, y: top + 34 * row + 30 });
  }
  const lines = isGrid ? rows.length : Math.ceil(count / perRow);
  return { count, top, places, isGrid, radius: Math.min(13, pitch / 2 - 1), bottom: top + 34 * lines + 14 };
}

function rowOf(rank, block) { return Math.floor(rank / block[0]); }

// The rows of the block that a warp has threads in.
function rowsOf(block, warp, count) {
  return [...new Set(Array.from({ length: count }, (_, lane) => rowOf(32 * warp + lane, block)))];
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
                                 `Threads of block ${block}, warp ${warp}${row}`,
    lanes.isGrid ? svg("tspan", { dx: 6, class: "about" }, "x across, y down") : null));
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
