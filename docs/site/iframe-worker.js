// The search runs in a worker. Browsers allow none in pages that are opened as files, so there its
// script runs in a hidden frame. Material would load such a stand-in from a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const { contentWindow, contentDocument } = this.frame;
      this.loaded = new Promise((done) => this.frame.addEventListener("load", done));
      contentWindow.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      contentDocument.write(`<script src="${address}"></script>`);
      contentDocument.close();
    }

    postMessage(data) {
      this.loaded.then(() =>
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
