// Table: pairs in the order of a query in; the rows that are seen out, however many there are.

/** Pixels of a row. */
const ROW = 62;
/** Rows beyond those that are seen. */
const MARGIN = 8;
/** Rows that are printed. */
const MOST_PRINTED = 1000;

/** An element with a class, and children that are elements or text. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/**
 * Shows pairs in `body`. `open` is called with the pair of a row that was chosen, and `answer` with a pair and the number of a key;
 * `said` returns the answer and the note of a pair.
 */
function makeTable(model, body, table, { open, answer, said }) {
  const space = make("div", "space");
  space.setAttribute("role", "presentation");
  body.append(space);
  const rows = new Map();
  let pairs = [];
  let words = [];
  let current = 0;

  /** A name, next to the other one of its pair: only what both have in common is cut where room is short. */
  function name(document, beside) {
    const [whole, other] = [document, beside].map((number) => model.names[number].slice(model.root.length));
    const [start, end] = document === beside ? [0, 0] : commonEnds(whole, other);
    const folder = splitName(whole)[0].length;
    const word = words.find((one) => whole.toLowerCase().includes(one));
    const at = word ? whole.toLowerCase().indexOf(word) : 0;
    const found = word ? [at, at + word.length] : [0, 0];
    const borders = [folder, ...found];
    const line = make("span", "one name");
    for (const [className, from, to] of [["same", 0, start], ["", start, whole.length - end], ["same", whole.length - end, whole.length]]) {
      if (from === to) continue;
      const part = make("bdi");
      const cuts = [from, ...borders.filter((cut) => cut > from && cut < to).sort((x, y) => x - y), to];
      for (let piece = 0; piece + 1 < cuts.length; piece += 1) {
        const text = shownName(whole.slice(cuts[piece], cuts[piece + 1]));
        const isFound = cuts[piece] >= found[0] && cuts[piece] < found[1];
        const classes = [cuts[piece] < folder ? "dir" : "", isFound ? "mark" : ""].filter(Boolean).join(" ");
        part.append(classes ? make("span", classes, text) : text);
      }
      line.append(make("span", className && to - from > 4 ? `${className} long` : className, part));
    }
    line.title = shownName(model.names[document]);
    return line;
  }

  function row(at) {
    const pair = pairs[at];
    const cell = (className, ...children) => {
      const element = make("div", className, ...children);
      element.setAttribute("role", "gridcell");
      return element;
    };
    const fill = make("b");
    fill.style.transform = `scaleX(${model.share[pair] / 1e6})`;
    const bar = make("i", "", fill);
    bar.setAttribute("aria-hidden", "true");
    const element = make(
      "div",
      "row",
      cell("share", percent(model.share[pair]), bar),
    );
    if (model.kept.length) element.append(cell("kept", model.kept[pair] < 0 ? "" : percent(model.kept[pair])));
    element.append(cell("names", name(model.a[pair], model.b[pair]), name(model.b[pair], model.a[pair])));
    if (model.contained.length) {
      const [one, other] = model.contained[pair];
      element.append(cell("held", make("span", "one", percent(one)), make("span", "one", percent(other))));
      element.append(cell("shared", counted(model.shared[pair])));
    }
    element.append(cell("of", counted(model.groupOf[pair])));
    const { answer: word, note } = said(pair);
    const mark = cell(`said ${word}`, word);
    if (note) {
      mark.append(make("span", "noted", word ? " ✎" : "✎", make("span", "sr", ` ${note}`)));
      mark.title = shownName(note);
    }
    element.append(mark);
    element.setAttribute("role", "row");
    element.setAttribute("aria-rowindex", String(at + 2));
    element.dataset.at = String(at);
    element.tabIndex = at === current ? 0 : -1;
    element.style.top = `${at * ROW}px`;
    return element;
  }

  /** Makes the rows that are seen, and removes the others. */
  function draw(from, end) {
    const first = Math.max(0, from ?? Math.floor(body.scrollTop / ROW) - MARGIN);
    const last = Math.min(pairs.length, end ?? Math.ceil((body.scrollTop + body.clientHeight) / ROW) + MARGIN);
    const focused = document.activeElement?.dataset?.at;
    for (const [at, element] of rows) {
      if ((at < first || at >= last) && String(at) !== focused) {
        element.remove();
        rows.delete(at);
      }
    }
    for (let at = first; at < last; at += 1) {
      if (!rows.has(at)) rows.set(at, row(at));
    }
    // The order of elements is that of rows, for those who read without seeing.
    const sorted = [...rows].sort((one, other) => one[0] - other[0]).map(([, element]) => element);
    sorted.forEach((element, at) => {
      if (space.children[at] !== element) space.insertBefore(element, space.children[at] ?? null);
    });
  }

  function focus(at) {
    if (pairs.length === 0) return;
    const before = rows.get(current);
    current = Math.min(Math.max(at, 0), pairs.length - 1);
    const top = current * ROW;
    if (top < body.scrollTop) body.scrollTop = top;
    if (top + ROW > body.scrollTop + body.clientHeight) body.scrollTop = top + ROW - body.clientHeight;
    draw();
    if (before) before.tabIndex = -1;
    const element = rows.get(current);
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
  }

  body.addEventListener("scroll", () => draw(), { passive: true });
  body.addEventListener("click", (event) => {
    const element = event.target.closest(".row");
    if (!element) return;
    current = Number(element.dataset.at);
    open(pairs[current]);
  });
  body.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(body.clientHeight / ROW) - 1);
    const to = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: pairs.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      focus(to);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(pairs[current]);
    } else if (/^[0-3]$/.test(event.key)) {
      event.preventDefault();
      answer(pairs[current], Number(event.key));
    }
  });
  new ResizeObserver(() => draw()).observe(body);
  addEventListener("beforeprint", () => draw(0, MOST_PRINTED));
  addEventListener("afterprint", () => draw());

  return {
    /** Shows other pairs. */
    show(selected, searched) {
      pairs = selected;
      words = searched;
      current = 0;
      rows.forEach((element) => element.remove());
      rows.clear();
      space.textContent = "";
      space.style.height = `${pairs.length * ROW}px`;
      body.scrollTop = 0;
      table.setAttribute("aria-rowcount", String(pairs.length + 1));
      if (pairs.length === 0) {
        const cell = make("div", "empty", "No pair is left; clear a filter to see more.");
        cell.setAttribute("role", "gridcell");
        const empty = make("div", "", cell);
        empty.setAttribute("role", "row");
        space.append(empty);
      }
      draw();
    },
    /** The pair before or behind another one; `undefined` where there is none. */
    near(pair, step) {
      const at = pairs.indexOf(pair);
      return at < 0 ? undefined : pairs[at + step];
    },
    /** Where a pair stands, and of how many. */
    place: (pair) => [pairs.indexOf(pair) + 1, pairs.length],
    /** Shows a pair again, whose answer has changed. */
    renew(pair) {
      const at = pairs.indexOf(pair);
      const element = rows.get(at);
      if (!element) return;
      const isFocused = element === document.activeElement;
      const renewed = row(at);
      element.replaceWith(renewed);
      rows.set(at, renewed);
      if (isFocused) renewed.focus({ preventScroll: true });
    },
    /** Moves to the row of a pair. */
    focus(pair) {
      focus(Math.max(0, pairs.indexOf(pair)));
    },
    draw,
  };
}
