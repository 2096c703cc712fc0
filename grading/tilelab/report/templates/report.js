"use strict";
(() => {
  const table = document.getElementById("everybody");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const count = document.getElementById("count");
  const fields = ["text", "lab", "mark", "section"].map((name) =>
    document.getElementById(`by-${name}`) ?? { value: "", addEventListener() {} });
  const names = new Intl.Collator("en", { numeric: true });
  const texts = new Map(rows.map((row) => [row, row.cells[0].textContent.toLowerCase()]));

  const key = (row, column) => {
    const cell = row.cells[column];
    return column === 0 ? cell.textContent : Number(cell.dataset.order ?? -2);
  };

  const sort = (column) => {
    const head = heads[column];
    // Names begin with A, points with the most.
    const first = column === 0 ? "ascending" : "descending";
    const second = column === 0 ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? second : first;
    const sign = order === "ascending" ? 1 : -1;
    const keys = new Map(rows.map((row) => [row, key(row, column)]));
    const compare = column === 0 ? names.compare : (a, b) => {
      if (a < 0 || b < 0) return sign * ((a < 0) - (b < 0)); // no grade: last, in either order
      return a - b;
    };
    rows.sort((a, b) => sign * compare(keys.get(a), keys.get(b)));
    body.replaceChildren(...rows);
    for (const one of heads) one.setAttribute("aria-sort", one === head ? order : "none");
  };

  const filter = () => {
    const [text, lab, mark, section] = fields.map((field) => field.value);
    const wanted = text.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const grades = [...row.cells].filter((cell) =>
        cell.dataset.lab && (!lab || cell.dataset.lab === lab));
      const sections = (row.dataset.sections ?? "").split(", ");
      const matches = texts.get(row).includes(wanted) && grades.some((cell) =>
        !mark || (cell.dataset.marks ?? "").split(",").includes(mark)) &&
        (!section || sections.includes(section));
      row.hidden = !matches;
      shown += matches;
    }
    for (const column of heads.keys()) {
      const of = heads[column].dataset.lab;
      const isHidden = Boolean(lab && of && of !== lab);
      if (heads[column].hidden === isHidden) continue;
      heads[column].hidden = isHidden;
      for (const row of rows) row.cells[column].hidden = isHidden;
    }
    count.textContent = `${shown} of ${rows.length} students`;
  };

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(column));
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
  });
  for (const field of fields) field.addEventListener("input", filter);
  document.querySelector(".controls").hidden = false;
  sort(0);
  filter();
})();
