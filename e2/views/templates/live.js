// What a page without a script cannot do: follow a run, and copy. Nothing here makes markup out of what is sent.
"use strict";

(() => {
  // A link of a viewer that keeps its parameters behind the # opens too.
  if (location.hash.includes("board_edges=")) {
    location.replace("/viewer?" + location.hash.slice(1));
    return;
  }

  const quoted = (text) => CSS.escape(text);

  const fill = (row, words) => {
    for (const place of row.querySelectorAll("[data-field]")) {
      const text = words[place.dataset.field];
      if (text === undefined) continue;
      if (place.textContent !== text) place.textContent = text;
      if (place.dataset.field === "state") place.dataset.state = text;
    }
  };

  // A part of the page that other words would not mend is fetched anew and put in its place.
  const renew = async (part) => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(part.id);
    if (fresh) {
      part.replaceWith(document.adoptNode(fresh));
      offerCopies();
    }
  };

  const follow = (address) => {
    let source = null;
    const open = () => {
      if (source || document.hidden) return;
      source = new EventSource(address);
      source.addEventListener("runs", (event) => {
        const { rows, stamps } = JSON.parse(event.data);
        for (const [run, words] of Object.entries(rows)) {
          for (const row of document.querySelectorAll(`[data-run="${quoted(run)}"]`)) fill(row, words);
        }
        for (const [name, stamp] of Object.entries(stamps)) {
          const part = document.querySelector(`[data-stamp="${quoted(name)}"]`);
          if (part && part.dataset.value !== stamp) {
            part.dataset.value = stamp;
            renew(part);
          }
        }
      });
    };
    // A browser gives a server few connections: a page that nobody sees lets its own go.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && source) {
        source.close();
        source = null;
      }
      open();
    });
    open();
  };

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea"); // without https there is no clipboard to ask
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };

  const offerCopies = () => {
    for (const button of document.querySelectorAll("[data-copy], [data-copy-from]")) {
      if (!button.hidden) continue;
      button.hidden = false;
      button.addEventListener("click", async () => {
        const from = button.dataset.copyFrom;
        const before = button.textContent;
        await copy(from ? document.getElementById(from).textContent : button.dataset.copy);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = before; }, 1500);
      });
    }
  };

  offerCopies();
  const live = document.querySelector("[data-live]");
  if (live) follow(live.dataset.live);
})();
