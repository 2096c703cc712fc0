// The source, with what each line costs and which line the step belongs to.

function heatOf(call, kernel) {
  const heat = new Map();
  for (const launch of call.launches) {
    for (const line of launch.lines) {
      if (line.file !== kernel.file) continue;
      const sum = heat.get(line.line) || { sectors: 0, wavefronts: 0, conflicts: 0 };
      for (const [kind, counts] of Object.entries(line.counts)) {
        if (kind.startsWith("global")) sum.sectors += counts.sectors;
        if (kind.startsWith("shared")) {
          sum.wavefronts += counts.wavefronts;
          sum.conflicts += counts.bank_conflicts;
        }
      }
      heat.set(line.line, sum);
    }
  }
  return heat;
}

function sourceTable(view) {
  const { kernel } = view;
  const heat = heatOf(view.model.call, kernel);
  const most = { sectors: 1, wavefronts: 1 };
  for (const sum of heat.values()) {
    for (const name of Object.keys(most)) most[name] = Math.max(most[name], sum[name]);
  }
  const rows = kernel.source.map((text, i) => {
    const sum = heat.get(i + 1);
    const line = sum ? html("button", { class: "number-button", title: "Go to the next step of this line",
                                        onclick: () => view.goToLine(i + 1) }, String(i + 1))
                     : String(i + 1);
    return html("tr", { "data-line": i + 1 }, html("td", { class: "number code" }, line),
      heatCell(sum, "sectors", most, "--global-load"), heatCell(sum, "wavefronts", most, "--shared-load"),
      html("td", { class: "code text" }, text));
  });
  return html("div", { class: "source", tabindex: 0, "aria-label": `source of ${kernel.name}` },
    html("table", {},
      html("thead", {}, html("tr", {}, html("th", {}, "line"),
        html("th", { title: "sectors of global memory, over the whole run" }, "sectors"),
        html("th", { title: "wavefronts of shared memory, over the whole run" }, "wavefronts"),
        html("th", {}))),
      html("tbody", {}, rows)));
}

function heatCell(sum, name, most, color) {
  const count = sum ? sum[name] : 0;
  const cell = html("td", { class: "heat" }, count ? count.toLocaleString("en-US") : "");
  if (count) {
    const share = Math.round(100 * count / most[name]);
    const tint = `color-mix(in srgb, var(${color}) 35%, transparent)`;
    cell.style.backgroundImage = `linear-gradient(${tint}, ${tint})`;
    cell.style.backgroundSize = `${share}% 80%`;
  }
  if (sum && name === "wavefronts" && sum.conflicts) {
    cell.append(html("span", { class: "wrong", title: plural(sum.conflicts, "bank conflict") }, " !"));
  }
  return cell;
}

function markLine(table, line) {
  for (const row of table.querySelectorAll("tr.now")) row.classList.remove("now");
  const row = table.querySelector(`tr[data-line="${Number(line)}"]`);
  if (!row) return;
  row.classList.add("now");
  const top = row.offsetTop - table.clientHeight / 2;
  if (row.offsetTop < table.scrollTop + 30 || row.offsetTop > table.scrollTop + table.clientHeight - 30) {
    table.scrollTop = top;
  }
}
