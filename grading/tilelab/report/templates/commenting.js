"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const { texts, files, rubric } = JSON.parse(at("data").textContent);
  const notes = new Map(); // what was written, by file and line
  let line = 0;
  let isSaved = true;

  const place = (of = line) => `${at("file").value} ${of}`;
  const made = (name, properties) => Object.assign(document.createElement(name), properties);

  // What is said of a line: by others before, and now.
  const said = (of) => {
    const before = files[at("file").value][3].filter((one) => one[0] === of)
      .map(([, text, points, by]) => [text, points || "", by]);
    const note = notes.get(place(of));
    const [text, points] = rubric[note?.item] ?? ["", ""];
    return note ? [...before, [note.comment || text, note.points || points, "now"]] : before;
  };

  const row = (of, text) => {
    const entry = made("li", { className: of === line ? "chosen" : "" });
    const number = made("button", { type: "button", textContent: of || "File" });
    number.setAttribute("aria-label", of ? `Comment on line ${of}` : "Comment on the whole file");
    number.addEventListener("click", () => choose(of));
    entry.append(number, made("code", { textContent: text }));
    for (const [what, points, by] of said(of)) {
      const worth = points === "" ? "" : ` (${points})`;
      entry.append(made("p", { className: "bad", textContent: `${by}: ${what}${worth}` }));
    }
    return entry;
  };

  const draw = () => {
    const text = texts[files[at("file").value][2]].replace(/\n$/, "");
    const rows = text.split("\n").map((one, index) => row(index + 1, one));
    at("source").replaceChildren(...(said(0).length ? [row(0, "")] : []), ...rows);
    const note = notes.get(place()) ?? { item: "", points: "", comment: "" };
    [at("item").value, at("points").value, at("text").value] = [note.item, note.points, note.comment];
    at("where").textContent = line ? `Line ${line}` : "The whole file";
    at("remove").hidden = !notes.has(place());
    const number = notes.size === 1 ? "1 comment" : `${notes.size} comments`;
    at("count").textContent = `${number}${isSaved ? "" : ", not saved"}`;
  };

  const choose = (of) => {
    line = of;
    draw();
    at("text").focus();
  };

  const turn = (by) => {
    at("file").selectedIndex = (Number(at("file").value) + by + files.length) % files.length;
    line = 0;
    draw();
  };

  const change = (note) => {
    if (note) notes.set(place(), note);
    else notes.delete(place());
    isSaved = false;
    draw();
  };

  const add = (event) => {
    event.preventDefault();
    const [item, points, comment] = ["item", "points", "text"].map((id) => at(id).value.trim());
    at("text").setCustomValidity(item || comment ? "" : "Say why, or choose from the rubric.");
    if (at("form").reportValidity()) change({ item, points, comment });
  };

  const table = () => {
    const rows = [["student", "lab", "line", "comment", "points", "item", "by"]];
    for (const [key, { item, points, comment }] of notes) {
      const [file, of] = key.split(" ").map(Number);
      const [student, lab] = files[file];
      rows.push([student, lab, of || "", comment, points, item, at("by").value.trim()]);
    }
    const cell = (one) => `"${String(one).replaceAll('"', '""')}"`;
    return rows.map((one) => `${one.map(cell).join(",")}\r\n`).join("");
  };

  const save = () => {
    const href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
    made("a", { href, download: "COMMENTS.csv" }).click();
    isSaved = true;
    draw();
  };

  files.forEach(([student, lab, , , team], index) => {
    const textContent = `${student}/${lab}${team ? ` (group ${team})` : ""}`;
    at("file").append(made("option", { value: index, textContent }));
  });
  for (const [name, [text, points]] of Object.entries(rubric)) {
    const worth = points ? ` (${points})` : "";
    at("item").append(made("option", { value: name, textContent: `${name}: ${text}${worth}` }));
  }
  at("file").addEventListener("input", () => turn(0));
  at("before").addEventListener("click", () => turn(-1));
  at("after").addEventListener("click", () => turn(1));
  at("whole").addEventListener("click", () => choose(0));
  at("remove").addEventListener("click", () => change(null));
  at("text").addEventListener("input", () => at("text").setCustomValidity(""));
  at("form").addEventListener("submit", add);
  at("save").addEventListener("click", save);
  addEventListener("beforeunload", (event) => {
    if (!isSaved) event.preventDefault();
  });
  draw();
})();
