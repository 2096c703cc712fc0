// One kernel: its controls, its picture, the request close up, and its source.

class View {
  constructor(kernel, calls, onChange) {
    this.kernel = kernel;
    this.models = calls.map((call) => {
      const model = new CallModel(call, kernel);
      locateFindings(model);
      return model;
    });
    this.onChange = onChange;
    this.parts = {};
    this.node = html("section", { class: "view", "aria-label": kernel.label });
    this.set({ call: 0, launch: 0, block: 0, warp: "", position: 0 });
    this.build();
  }

  // --- What is looked at -------------------------------------------------------------------------

  // Chooses a call, a launch of it, a block, a warp ("" for all), and a step of these.
  set(wanted) {
    const within = (value, end) => Math.max(0, Math.min(Number(value) || 0, end - 1));
    this.call = within(wanted.call, this.models.length);
    this.model = this.models[this.call];
    this.launchNumber = within(wanted.launch, this.model.launches.length);
    this.launch = this.model.launches[this.launchNumber];
    const all = this.launch ? this.launch.steps : [];
    this.blocks = [...new Set(all.map((step) => step.block))].sort((a, b) => a - b);
    const block = Number(wanted.block);
    this.blockNumber = this.blocks.includes(block) ? block : this.blocks[0] || 0;
    this.block = this.launch ? blockIndex(this.blockNumber, this.launch.grid) : [0, 0, 0];
    this.steps = all.filter((step) => step.block === this.blockNumber);
    this.warps = [...new Set(this.steps.filter((s) => !s.barrier).map((s) => s.warp))].sort((a, b) => a - b);
    const isWarp = wanted.warp !== "" && this.warps.includes(Number(wanted.warp));
    this.onlyWarp = isWarp ? Number(wanted.warp) : "";
    this.shown = this.steps.filter((s) => s.barrier || this.onlyWarp === "" || s.warp === this.onlyWarp);
    this.position = within(wanted.position, this.shown.length);
    this.step = this.shown[this.position] || null;
    this.warp = this.step && !this.step.barrier ? this.step.warp
              : this.onlyWarp !== "" ? this.onlyWarp : this.warps[0] || 0;
    this.remember();
  }

  // What memory holds at the step: what it stores is there, what it loads was there before.
  remember() {
    const before = this.step ? this.step.at : 0;
    this.memory = this.model.before(this.launchNumber, before);
    this.sentence = this.step ? sentenceOf(this.step, this.launch, this.memory)
                              : "No kernel accessed global or shared memory.";
    if (this.step) store(this.memory, this.step);
    this.touches = new Map();
    for (const place of this.step ? placesOf(this.step) : []) {
      if (!this.touches.has(place.array)) this.touches.set(place.array, new Set());
      const [first, last] = elementSpan(place, this.step.bytes);
      for (let element = first; element <= last; ++element) this.touches.get(place.array).add(element);
    }
  }

  place() {
    return { call: this.call, launch: this.launchNumber, block: this.blockNumber,
             warp: this.onlyWarp, position: this.position };
  }

  change(wanted) {
    this.set({ ...this.place(), ...wanted });
    this.update();
    this.onChange(this);
  }

  goTo(step, launch = this.launchNumber) {
    this.set({ call: this.call, launch, block: step.block, warp: "" });
    this.change({ position: this.shown.indexOf(step) });
  }

  goToLine(line) {
    const after = this.shown.findIndex((s, i) => i > this.position && s.line === line);
    const first = this.shown.findIndex((s) => s.line === line);
    if (after >= 0 || first >= 0) return this.change({ position: after >= 0 ? after : first });
    const other = this.launch && this.launch.steps.find((s) => s.line === line);
    if (other) this.goTo(other);
  }

  move(steps) { this.change({ position: Math.max(0, this.position + steps) }); }

  moveToBarrier(direction) {
    for (let i = this.position + direction; i >= 0 && i < this.shown.length; i += direction) {
      if (this.shown[i].barrier) return this.change({ position: i });
    }
    this.change({ position: direction > 0 ? this.shown.length - 1 : 0 });
  }

  moveIn(list, now, direction, name) {
    const at = list.indexOf(now) + direction;
    if (at >= 0 && at < list.length) this.change({ [name]: list[at], position: 0 });
  }

  touched(array, element) {
    const elements = this.touches.get(array);
    return elements && elements.has(element) ? kindOf(this.step) : "";
  }

  // --- Races -------------------------------------------------------------------------------------

  raceFindings() {
    return this.launch ? this.launch.findings.filter((one) => one.kind === "data_race") : [];
  }

  races(array, element) {
    return this.raceFindings().some(
      (one) => elementOf(array, one) === element &&
               (array.role !== "shared" || one.steps.some((s) => s && s.block === this.blockNumber)));
  }

  racesIn(step) { return this.raceFindings().some((one) => one.steps.includes(step)); }

  // --- What is on the page -----------------------------------------------------------------------

  build() {
    const { kernel, parts } = this;
    parts.controls = html("div", { class: "controls" });
    parts.sentence = html("div", { class: "sentence", role: "status", "aria-live": "polite" });
    parts.stage = html("div", { class: "stage scrolls" });
    parts.timeline = html("div", { class: "timeline scrolls" });
    parts.request = html("div", { class: "request scrolls" });
    parts.requestTitle = html("h3", {});
    parts.source = html("div", {});
    parts.findings = html("div", {});
    parts.failure = html("div", {});
    this.node.append(
      html("h2", {}, `${kernel.label}: `, html("code", {}, kernel.name)),
      kernel.note ? html("p", { class: "note" }, kernel.note) : "",
      parts.failure, parts.controls,
      html("div", { class: "parts" },
        html("div", {}, parts.sentence, parts.timeline, parts.stage,
             parts.requestTitle, parts.request),
        html("div", {}, parts.findings, html("h3", {}, "Cost per line, over the whole run"),
             parts.source)));
    new ResizeObserver(() => requestAnimationFrame(() => {
      if (parts.stage.clientWidth !== this.width) this.draw();
    })).observe(parts.stage);
    this.update();
  }

  update() {
    const { parts, model, launch } = this;
    this.buildControls();
    this.buildSentence();
    parts.failure.replaceChildren(...this.warnings());
    if (parts.sourceOf !== model) {
      parts.sourceOf = model;
      parts.table = sourceTable(this);
      parts.source.replaceChildren(parts.table);
      parts.findings.replaceChildren(findingsList(this) || "");
    }
    markLine(parts.table, this.step ? this.step.line : 0);
    this.draw();
    return launch;
  }

  warnings() {
    const { call } = this.model;
    const texts = [];
    if (call.failure) texts.push(call.failure);
    texts.push(...call.findings.map((finding) => finding.text));
    if (!this.launch) texts.push("No kernel was launched.");
    else if (!this.launch.trace.complete) texts.push(sampleText(this.launch));
    return texts.map((text) => html("p", { class: "note alarm" }, text));
  }

  choice(label, names, now, choose) {
    if (names.length < 2) return "";
    return html("label", {}, label, html("select", { onchange: (event) => choose(event.target.value) },
      names.map(([value, text]) => html("option", { value, selected: String(value) === String(now) }, text))));
  }

  buildControls() {
    const { parts, launch } = this;
    const last = Math.max(0, this.shown.length - 1);
    const focused = parts.controls.contains(document.activeElement)
      ? document.activeElement.getAttribute("data-name") : null;
    const button = (name, text, label, act) => html("button",
      { "data-name": name, title: label, "aria-label": label, onclick: act }, text);
    const slider = html("input", { type: "range", min: 0, max: last, value: this.position,
      "data-name": "slider", "aria-label": "step", "aria-valuetext": this.sentence,
      oninput: (event) => this.change({ position: Number(event.target.value) }) });
    slider.value = String(this.position);
    parts.controls.replaceChildren(
      this.choice("Call", this.models.map((m, i) => [i, m.call.call]), this.call,
                  (call) => this.change({ call, launch: 0, block: 0, warp: "", position: 0 })),
      this.choice("Launch", this.model.launches.map((l, i) => [i, `${i + 1}: ${l.kernel}`]),
                  this.launchNumber, (one) => this.change({ launch: one, block: 0, warp: "", position: 0 })),
      this.choice("Block", this.blocks.map((b) => [b, indexText(blockIndex(b, launch.grid), launch.grid)]),
                  this.blockNumber, (block) => this.change({ block, position: 0 })),
      this.choice("Warp", [["", "all"], ...this.warps.map((w) => [w, String(w)])].slice(this.warps.length < 2 ? 2 : 0),
                  this.onlyWarp, (warp) => this.change({ warp, position: 0 })),
      button("back", "\u25c0", "one step back", () => this.move(-1)), slider,
      button("on", "\u25b6", "one step on", () => this.move(1)));
    const again = focused && parts.controls.querySelector(`[data-name="${focused}"]`);
    if (again) again.focus({ preventScroll: true });
  }

  buildSentence() {
    const { parts, step } = this;
    const count = this.shown.length;
    const where = !step ? "" : `Step ${this.position + 1} of ${count}` +
                               (step.line ? `, line ${step.line}: ` : ". ");
    const code = step && step.line ? (this.kernel.source[step.line - 1] || "").trim() : "";
    const race = this.raceFindings().find((one) => one.steps.includes(step));
    parts.sentence.replaceChildren(
      html("p", {}, html("strong", {}, this.sentence)),
      html("p", { class: "muted" }, where, code ? html("code", {}, code) : ""),
      html("p", { class: "muted" }, step ? costOf(step) : ""),
      html("p", { class: "flying" }, step ? flightsText(this.launch, step) : ""),
      race ? html("p", { class: "wrong" }, raceText(race, step)) : "");
    const isShared = step && step.space === "shared" && !isCopy(step);
    parts.requestTitle.textContent = !step || step.barrier || isCopyMark(step) ? "The request" : isShared
      ? "The request: its words in the 32 banks of shared memory"
      : "The request: its sectors of global memory";
  }

  drawTime() {
    const { parts } = this;
    const width = parts.timeline.clientWidth;
    const isDrawn = parts.timeOf === this.steps[0] && parts.timeWidth === width;
    if (!isDrawn) {
      parts.timeOf = this.steps[0];
      parts.timeWidth = width;
      parts.time = drawTimeline(this, width);
      parts.timeline.replaceChildren(parts.time ? parts.time.picture : "");
    }
    if (parts.time) parts.time.mark(this.step);
  }

  draw() {
    const { parts } = this;
    const width = Math.floor(parts.stage.clientWidth);
    if (width === 0) return;
    this.width = width;
    parts.stage.replaceChildren(drawStage(this, width));
    this.drawTime();
    parts.request.replaceChildren(drawRequest(this.step, parts.request.clientWidth) ||
      html("p", { class: "muted" }, !this.step ? "" : this.step.barrier ? "A barrier moves no data."
                                    : "This step asks for no data."),
      drawBankPaths(this.step) || "");
  }
}
