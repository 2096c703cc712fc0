// The search of the site: finds sections of pages and names of the API, with lunr.
// search-index.js holds ENTRIES; it is loaded when somebody looks for something.

class SiteSearch {
  static most = 12;

  static init() {
    document.addEventListener("DOMContentLoaded", () => {
      const field = document.getElementById("MSearchField");
      if (field) new SiteSearch(field, document.getElementById("site-results")).start();
    });
  }

  // The beginning of each word, without the endings that do not matter: "conflicts" is "conflict".
  static stems(words) {
    return lunr.tokenizer(SiteSearch.spaced(words)).map((token) => lunr.stemmer(token).toString());
  }

  // Names fall into words: __shfl_up_sync is "shfl up sync".
  static spaced(text) {
    return text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  }

  constructor(field, list) {
    this.field = field;
    this.list = list;
    this.index = null;
  }

  start() {
    this.field.addEventListener("input", () => this.show());
    this.field.addEventListener("keydown", (event) => this.move(event, -1));
    this.list.addEventListener("keydown", (event) => {
      this.move(event, [...this.list.children].indexOf(document.activeElement));
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
        event.preventDefault();
        this.field.focus();
      }
    });
    document.addEventListener("click", (event) => {
      if (event.target !== this.field) this.list.hidden = true;
    });
    const wanted = new URLSearchParams(location.search).get("q");
    if (wanted) {
      this.field.value = wanted;
      this.show();
    }
  }

  // Arrows go from the field through the results and back; `at` is -1 in the field.
  move(event, at) {
    if (event.key === "Escape") {
      this.list.hidden = true;
      this.field.focus();
    } else if (event.key === "Enter" && at < 0) {
      this.list.querySelector("a")?.click();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      if (next < 0) this.field.focus();
      else this.list.children[next]?.focus();
    }
  }

  async show() {
    await this.load();
    const stems = SiteSearch.stems(this.field.value);
    this.list.hidden = stems.length === 0;
    const found = this.find(stems).slice(0, SiteSearch.most);
    this.list.replaceChildren(...found.map(({ ref }) => SiteSearch.item(ENTRIES[ref], stems)));
    if (found.length === 0) this.list.textContent = "Nothing found.";
  }

  load() {
    this.loading ??= new Promise((loaded) => {
      const script = document.createElement("script");
      script.src = "search-index.js";
      script.onload = loaded;
      document.head.append(script);
    }).then(() => {
      this.index = SiteSearch.indexed(ENTRIES);
    });
    return this.loading;
  }

  static indexed(entries) {
    return lunr((builder) => {
      // No word is too common: "up" and "all" are parts of names.
      builder.pipeline.remove(lunr.stopWordFilter);
      builder.ref("ref");
      builder.field("heading", { boost: 6 });
      builder.field("page", { boost: 2 });
      builder.field("text");
      entries.forEach(({ url, heading, page, text }, ref) => {
        const entry = {
          ref,
          heading: SiteSearch.spaced(heading),
          page: SiteSearch.spaced(page),
          text: SiteSearch.spaced(text),
        };
        // What explains a word comes before what is named after it, or what gets it wrong.
        const follows = page.startsWith("API: ") || url.startsWith("mistakes_");
        builder.add(entry, { boost: follows ? 0.2 : 1 });
      });
    });
  }

  // Every word has to begin a word of the section; whole words count more.
  find(stems) {
    if (stems.length === 0) return [];
    return this.index.query((query) => {
      for (const stem of stems) {
        query.term(stem, { usePipeline: false, boost: 10 });
        query.term(stem, {
          usePipeline: false,
          wildcard: lunr.Query.wildcard.TRAILING,
          presence: lunr.Query.presence.REQUIRED,
        });
      }
    });
  }

  static item({ url, page, heading, text }, stems) {
    const link = document.createElement("a");
    link.href = url;
    const title = document.createElement("strong");
    title.textContent = heading;
    const where = document.createElement("span");
    where.textContent = page === heading ? "" : page;
    const excerpt = document.createElement("p");
    excerpt.append(...SiteSearch.excerpt(text, stems));
    link.append(title, where, excerpt);
    return link;
  }

  // What stands around the first hit, with the hits marked.
  static excerpt(text, stems) {
    const hits = new RegExp(`(?<![\\p{L}\\p{N}])(${stems.join("|")})[\\p{L}\\p{N}]*`, "giu");
    const first = text.search(hits);
    const from = text.lastIndexOf(" ", Math.max(first - 40, 0)) + 1;
    const part = text.slice(from, from + 130);
    const parts = [];
    let end = 0;
    for (const hit of part.matchAll(hits)) {
      const mark = document.createElement("mark");
      mark.textContent = hit[0];
      parts.push(part.slice(end, hit.index), mark);
      end = hit.index + hit[0].length;
    }
    return [from > 0 ? "… " : "", ...parts, part.slice(end), from + 130 < text.length ? " …" : ""];
  }
}
