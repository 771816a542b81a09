// Pair: two texts side by side, their passages in colours and numbers, which lead to one another.

/** Colours of passages, which come round. */
const COLOURS = 5;
/** Lines and characters of a text above which it is laid out in parts, and of such a part. */
const MANY_LINES = 3000;
const MANY_CHARACTERS = 200_000;
const CHUNK_LINES = 300;
const CHUNK_CHARACTERS = 20_000;
/** Where in a pane a passage is brought to. */
const READING_LINE = 0.22;

/** Shows pairs in the elements of the page. */
function makePair(model, block, find) {
  const panes = [find("text-a"), find("text-b")];
  const titles = [find("name-a"), find("name-b")];
  const status = find("passage-number");
  const together = find("together");
  let passages = [];
  let current = -1;
  let anchors = null;
  let driver = 0;
  let shownPair = -1;
  /** Whether the line before was removed. */
  let afterRemoved = false;

  function visible(parent, text) {
    for (const part of visibleParts(text)) {
      if (typeof part === "string") {
        parent.append(part);
      } else {
        const control = make("span", "control", `U+${part.code}`);
        control.title = "a character that is not seen";
        parent.append(control);
      }
    }
  }

  function lineElement({ number, parts }, removedWords) {
    const text = make("span");
    for (const part of parts) {
      if (part.removed) {
        const removed = make("span", "removed");
        removed.title = `${removedWords}: not compared`;
        visible(removed, part.text);
        text.append(removed);
        continue;
      }
      if (part.passage < 0) {
        visible(text, part.text);
        continue;
      }
      const colour = `m${part.passage % COLOURS}`;
      if (part.first) {
        const badge = make("button", `badge ${colour}`, String(part.passage + 1));
        badge.type = "button";
        badge.tabIndex = -1;
        badge.dataset.p = part.passage;
        badge.setAttribute("aria-label", `Passage ${part.passage + 1}, show it in both texts`);
        text.append(badge);
      }
      const mark = make("mark", passages[part.passage][4] ? colour : `${colour} near`);
      mark.dataset.p = part.passage;
      if (part.other) {
        const other = make("u", "other");
        other.title = "not in the other text";
        visible(other, part.text);
        mark.append(other);
      } else {
        visible(mark, part.text);
      }
      text.append(mark);
    }
    if (text.childNodes.length === 0) text.append("\u200b");
    const line = make("div", "line", text);
    line.dataset.n = number;
    const seen = parts.filter((part) => /[\p{L}\p{N}]/u.test(part.text));
    // The words stand at the first of several lines.
    const isRemoved = seen.length > 0 && seen.every((part) => part.removed);
    if (isRemoved && !afterRemoved) text.append(make("span", "why", removedWords));
    afterRemoved = isRemoved || (seen.length === 0 && afterRemoved);
    return line;
  }

  function fill(side, text, others, document) {
    const pane = panes[side];
    pane.textContent = "";
    pane.scrollTop = 0;
    afterRemoved = false;
    titles[side].textContent = shownName(model.names[document]);
    if (!text) {
      const why = model.lostSet.has(document)
        ? "This document could not be read as it was when it was compared, so its text is not shown."
        : "The texts of this pair are not in this page: no file had their names, as with records without --save or --with-source, or they are beyond --max-bytes.";
      pane.append(make("p", "", why));
      return;
    }
    const ranges = passages.map((passage) => passage.slice(side * 2, side * 2 + 2));
    const lines = piecesOf(linesOf(text.s, text.l, ranges, others, text.r));
    if (lines.length <= MANY_LINES && text.s.length <= MANY_CHARACTERS) {
      pane.append(...lines.map((line) => lineElement(line, text.w)));
      return;
    }
    let chunk = [];
    let length = 0;
    const end = () => {
      pane.append(make("div", "chunk", ...chunk));
      [chunk, length] = [[], 0];
    };
    for (const line of lines) {
      chunk.push(lineElement(line, text.w));
      length += line.parts.reduce((sum, part) => sum + part.text.length, 0);
      if (chunk.length === CHUNK_LINES || length >= CHUNK_CHARACTERS) end();
    }
    if (chunk.length > 0) end();
  }

  /** Where passages stand in both panes. */
  function places() {
    const of = passages.map(() => [Infinity, -Infinity, Infinity, -Infinity]);
    panes.forEach((pane, side) => {
      const offset = pane.scrollTop - pane.getBoundingClientRect().top;
      for (const mark of pane.querySelectorAll("mark")) {
        const box = mark.getBoundingClientRect();
        const place = of[mark.dataset.p];
        place[side * 2] = Math.min(place[side * 2], box.top + offset);
        place[side * 2 + 1] = Math.max(place[side * 2 + 1], box.bottom + offset);
      }
    });
    return of.filter((place) => place.every(Number.isFinite));
  }

  function follow(from) {
    if (together.getAttribute("aria-pressed") !== "true" || driver !== from) return;
    anchors ??= anchorsOf(places(), panes.map((pane) => pane.scrollHeight));
    const [pane, other] = [panes[from], panes[1 - from]];
    const line = (one) => one.clientHeight * READING_LINE;
    // At either end both are at their ends.
    const place = pane.scrollTop <= 0 ? 0 : otherPlace(anchors, from, pane.scrollTop + line(pane)) - line(other);
    other.scrollTop = place;
  }

  panes.forEach((pane, side) => {
    for (const event of ["pointerenter", "pointerdown", "touchstart", "wheel", "focus", "keydown"]) {
      pane.addEventListener(event, () => (driver = side), { passive: true });
    }
    pane.addEventListener("scroll", () => follow(side), { passive: true });
    pane.addEventListener("click", (event) => {
      const passage = event.target.closest("[data-p]")?.dataset.p;
      if (passage !== undefined && getSelection().isCollapsed) go(Number(passage), side);
    });
    new ResizeObserver(() => (anchors = null)).observe(pane);
  });
  together.addEventListener("click", () => {
    const on = together.getAttribute("aria-pressed") !== "true";
    together.setAttribute("aria-pressed", String(on));
    if (on) follow(driver);
  });

  /** Brings a passage to the same height in both panes. `kept`: a pane that stays as it is. */
  function go(passage, kept) {
    if (passages.length === 0) return;
    current = (passage + passages.length) % passages.length;
    driver = -1;
    panes.forEach((pane, side) => {
      for (const mark of pane.querySelectorAll("mark.now")) mark.classList.remove("now");
      const marks = pane.querySelectorAll(`mark[data-p="${current}"]`);
      for (const mark of marks) mark.classList.add("now");
      if (side === kept || marks.length === 0) return;
      // Parts that were not laid out yet have another height once they are, so it is done twice.
      for (let round = 0; round < 2; round += 1) {
        const top = marks[0].getBoundingClientRect().top - pane.getBoundingClientRect().top;
        pane.scrollTop += top - pane.clientHeight * READING_LINE;
      }
    });
    tell();
  }

  function tell() {
    const none = shownPair >= 0 && passages.length === 0;
    status.textContent = none ? "no passages" : current < 0 ? counted(passages.length, "passage") : `${current + 1} of ${passages.length}`;
    for (const name of ["passage-before", "passage-next"]) find(name).disabled = passages.length === 0;
  }

  return {
    /** Shows a pair. */
    async show(pair) {
      shownPair = pair;
      const texts = await pairTexts(model, block, pair);
      if (shownPair !== pair) return;
      [passages, current, anchors] = [texts.passages, -1, null];
      const others = texts.a && texts.b ? otherWords(texts.a.s, texts.b.s, passages) : [[], []];
      fill(0, texts.a, others[0], model.a[pair]);
      fill(1, texts.b, others[1], model.b[pair]);
      tell();
    },
    next: () => go(current + 1),
    before: () => go(current < 0 ? -1 : current - 1),
  };
}
