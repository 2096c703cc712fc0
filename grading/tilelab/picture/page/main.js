// The page: its heading, both kernels, the keyboard, and the address that names a state.

const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const views = data.kernels.map((kernel) => new View(kernel, kernel.calls, changed));
let current = views[0];

const KEYS = [
  ["\u2190 \u2192", "step"], ["PgUp PgDn", "barrier"], ["Home End", "first, last"],
  ["b B", "next, previous block"], ["w W", "next, previous warp"], ["space", "play"],
  ["c", "baseline next to it"],
];

function verdict() {
  const { call } = views[0].model;
  if (!views[0].launch) return html("span", { class: "wrong" }, "No kernel was launched.");
  if (call.failure) return html("span", { class: "wrong" }, "The call failed: see below.");
  const wrong = views[0].models.reduce(
    (sum, model) => sum + model.call.outputs.reduce((n, output) => n + output.wrong.length, 0), 0);
  if (wrong > 0) return html("span", { class: "wrong" }, `${plural(wrong, "element")} wrong.`);
  if (views[0].models.some((model) => mistakesOf(model).length > 0)) {
    return html("span", { class: "wrong" },
                "Every element is right in this run, but the kernel has a mistake: see below.");
  }
  return html("span", { class: "right" }, "Every element is right.");
}

function legend() {
  const kinds = [["global-load", "load from global memory"], ["global-store", "store to global memory"],
                 ["shared-load", "load from shared memory"], ["shared-store", "store to shared memory"]];
  const hasCopies = views.some((view) => view.models.some(
    (model) => model.launches.some((launch) => launch.flights.length > 0)));
  if (hasCopies) kinds.push(["copy", "asynchronous copy"]);
  return html("p", { class: "legend" },
    kinds.map(([kind, text]) => html("span", {}, html("span", { class: `swatch ${kind}` }), text)),
    html("span", {}, "hatched: nothing stored yet"), html("span", {}, "dashed red: data race"),
    html("span", {}, "t3 below a slot: stored by thread 3"),
    !hasCopies ? null : html("span", {}, "bar: copies in flight until the wait that completes them, " +
      "with a line where their batch is closed"),
    !hasCopies ? null : html("span", {}, "dashed, with b1 below: batch 1 is on its way there"));
}

function build() {
  const compare = html("button", { id: "compare", "aria-pressed": "false", onclick: toggleCompare },
                       "Baseline next to it");
  const save = html("button", { onclick: () => saveStage(current) }, "Save picture (SVG)");
  const play = html("button", { id: "play", "aria-pressed": "false", onclick: togglePlay }, "Play");
  const both = html("div", { class: "views" }, views[0].node);
  page.append(
    html("h1", {}, `${data.title}: what your kernel does`),
    html("p", {}, html("code", {}, views[0].model.call.call), " \u00b7 ", verdict()),
    html("p", {}, play, " ", compare, " ", save),
    both,
    html("h2", {}, "Legend"),
    legend(),
    html("p", { class: "muted keys" }, KEYS.map(([keys, text]) => html("span", {},
      keys.split(" ").map((key) => html("kbd", {}, key)), ` ${text}`))),
    html("h2", {}, "Both kernels, counted"),
    html("div", { class: "scrolls" }, countsTable(data.kernels, views.map((view) => view.model))),
    html("p", { class: "muted" }, "Counted by the emulator, which runs blocks one after the other, " +
      "and the warps of a block one after the other up to each barrier. A GPU has its own order. " +
      "Accesses to registers and to constant memory are not shown."),
    html("p", { class: "muted" }, "To make this page again: ", html("code", {}, data.command)));
  for (const view of views) view.node.addEventListener("focusin", () => { current = view; });
  for (const view of views) view.node.addEventListener("pointerdown", () => { current = view; });
}

function changed(view) {
  current = view;
  if (view !== views[0]) return;
  const state = new URLSearchParams(view.place());
  history.replaceState(null, "", `#${state}`);
}

function readAddress() {
  const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (state.compare) toggleCompare();
  if ("position" in state) views[0].set({ warp: "", ...state });
  views[0].update();
}

function toggleCompare() {
  const isOn = page.classList.toggle("compares");
  document.getElementById("compare").setAttribute("aria-pressed", String(isOn));
  if (isOn) page.querySelector(".views").append(views[1].node);
  else views[1].node.remove();
  if (!isOn) current = views[0];
  for (const view of views) view.draw();
}

let timer = null;
function togglePlay() {
  if (timer !== null) {
    clearInterval(timer);
    timer = null;
  } else {
    if (current.position + 1 >= current.shown.length) current.change({ position: 0 });
    timer = setInterval(() => {
      if (current.position + 1 < current.shown.length) current.move(1);
      else togglePlay();
    }, 900);
  }
  document.getElementById("play").setAttribute("aria-pressed", String(timer !== null));
}

// A picture on its own needs the colors that the page has now.
function saveStage(view) {
  const picture = view.parts.stage.querySelector("svg").cloneNode(true);
  const computed = getComputedStyle(document.documentElement);
  const names = ["paper", "panel", "ink", "muted", "line", "cell", "global-load", "global-store",
                 "shared-load", "shared-store", "copy", "wrong", "right"];
  const colors = names.map((name) => `--${name}: ${computed.getPropertyValue(`--${name}`).trim()};`);
  picture.setAttribute("xmlns", SVG);
  picture.prepend(svg("style", {}, `svg { ${colors.join(" ")} background: var(--paper); }\n${data.drawing}`));
  const file = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
  const link = html("a", { href: URL.createObjectURL(file),
                           download: `${data.lab}_block${view.blockNumber}_step${view.position + 1}.svg` });
  link.click();
  URL.revokeObjectURL(link.href);
}

function keyPressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const tag = event.target.tagName;
  const isPlain = tag !== "SELECT" && tag !== "BUTTON";
  const acts = {
    ArrowRight: () => current.move(1), ArrowLeft: () => current.move(-1),
    PageDown: () => current.moveToBarrier(1), PageUp: () => current.moveToBarrier(-1),
    Home: () => current.change({ position: 0 }),
    End: () => current.change({ position: current.shown.length - 1 }),
    b: () => current.moveIn(current.blocks, current.blockNumber, 1, "block"),
    B: () => current.moveIn(current.blocks, current.blockNumber, -1, "block"),
    w: () => current.moveIn(["", ...current.warps], current.onlyWarp, 1, "warp"),
    W: () => current.moveIn(["", ...current.warps], current.onlyWarp, -1, "warp"),
    c: toggleCompare,
  };
  if (isPlain) acts[" "] = togglePlay;
  const act = acts[event.key];
  if (!act || (tag === "SELECT" && event.key !== "c")) return;
  event.preventDefault();
  act();
}

build();
readAddress();
document.addEventListener("keydown", keyPressed);
window.addEventListener("hashchange", readAddress);
