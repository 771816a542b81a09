// Graph: groups as circles of documents and their pairs, on a canvas that can be moved and zoomed.

/** Nearest and farthest, in pixels for a unit of the layout. */
const MOST_ZOOM = 12;
/** Pixels that an arrow key moves. */
const ARROW = 60;

/** Pixels from a dot at which the pointer is on it. */
const NEAR = 7;
/** Characters of a name beside its dot. */
const MOST_LABEL = 28;

/** Draws the groups of a model. `choose` is called with the place of a group. */
function makeGraph(model, canvas, tip, choose) {
  const context = canvas.getContext("2d");
  let layout = null;
  let view = { x: 0, y: 0, zoom: 1 };
  let bounds = { x: 0, y: 0, zoom: 1 };
  let [width, height] = [0, 0];
  let hovered = -1;
  let dot = -1;
  let chosen = -1;
  let waiting = false;
  let colours = {};
  /** The places of the names that are written. */
  let names = [];

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    colours = { ink: value("--ink"), soft: value("--soft"), line: value("--line"), accent: value("--accent"), fill: value("--accent-soft") };
  }

  function fit() {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y, r } of layout.circles) {
      [left, right] = [Math.min(left, x - r), Math.max(right, x + r)];
      [top, bottom] = [Math.min(top, y - r), Math.max(bottom, y + r)];
    }
    const zoom = Math.min((width - 40) / (right - left), (height - 40) / (bottom - top), 3);
    bounds = { x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.max(zoom, 1e-3) };
    view = { ...bounds };
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }

  const left = (x) => (x - view.x) * view.zoom + width / 2;
  const top = (y) => (y - view.y) * view.zoom + height / 2;

  function draw() {
    if (!layout || !width) return;
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { zoom } = view;
    names = [];
    for (const circle of layout.circles) {
      const [x, y, r] = [left(circle.x), top(circle.y), circle.r * zoom];
      if (x + r < 0 || x - r > width || y + r < 0 || y - r > height) continue;
      const stands = circle.group === hovered || circle.group === chosen;
      context.beginPath();
      context.arc(x, y, Math.max(r, 1), 0, 2 * Math.PI);
      context.fillStyle = colours.fill;
      context.globalAlpha = stands ? 1 : 0.55;
      context.fill();
      context.globalAlpha = 1;
      if (stands) {
        context.lineWidth = 1.5;
        context.strokeStyle = colours.accent;
        context.stroke();
      }
      if (zoom > 0.12) drawMembers(circle, zoom);
    }
  }

  function drawMembers(circle, zoom) {
    const pairs = model.pairsOf[circle.group];
    const members = model.members[circle.group];
    context.lineWidth = Math.min(1.6, Math.max(0.4, zoom * 0.8));
    // The lines of a large group would be one area.
    if (members.length <= MOST_PUSHED) {
      context.globalAlpha = Math.max(0.08, Math.min(0.65, (3 * members.length) / pairs.length / 2));
      drawLines(pairs, colours.accent);
    }
    if (dot >= 0 && model.of[dot] === circle.group) {
      context.globalAlpha = 1;
      drawLines(pairsOfDot(), colours.ink);
    }
    context.globalAlpha = 1;
    context.fillStyle = colours.accent;
    const radius = Math.min(7, Math.max(0.7, zoom * 3.2));
    context.beginPath();
    for (const document of members) {
      const [x, y] = [left(layout.x[document]), top(layout.y[document])];
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    context.fill();
    if (zoom > 2.2) drawNames(members, radius);
  }

  function drawLines(pairs, colour) {
    context.strokeStyle = colour;
    context.beginPath();
    for (const pair of pairs) {
      context.moveTo(left(layout.x[model.a[pair]]), top(layout.y[model.a[pair]]));
      context.lineTo(left(layout.x[model.b[pair]]), top(layout.y[model.b[pair]]));
    }
    context.stroke();
  }

  /** Writes names beside their dots, where no other name stands. */
  function drawNames(members, radius) {
    context.fillStyle = colours.ink;
    context.font = "12px system-ui, sans-serif";
    for (const document of members) {
      const [x, y] = [left(layout.x[document]) + radius + 4, top(layout.y[document]) + 4];
      if (x < -300 || x > width || y < 0 || y > height + 12) continue;
      const name = shownName(splitName(model.names[document])[1]);
      const label = name.length > MOST_LABEL ? `${name.slice(0, MOST_LABEL - 1)}…` : name;
      const end = x + context.measureText(label).width;
      if (names.some((other) => x < other.end + 6 && other.x < end + 6 && Math.abs(y - other.y) < 13)) continue;
      names.push({ x, y, end });
      context.fillText(label, x, y);
    }
  }

  const pairsOfDot = () => model.pairsOf[model.of[dot]].filter((pair) => model.a[pair] === dot || model.b[pair] === dot);

  /** The document at a point of the canvas, or -1. */
  function dotAt(x, y, group) {
    if (group < 0) return -1;
    const distance = (document) => Math.hypot(left(layout.x[document]) - x, top(layout.y[document]) - y);
    const nearest = model.members[group].reduce((best, one) => (distance(one) < distance(best) ? one : best));
    return distance(nearest) <= NEAR ? nearest : -1;
  }

  /** The group at a point of the canvas, or -1. */
  function groupAt(x, y) {
    const [px, py] = [(x - width / 2) / view.zoom + view.x, (y - height / 2) / view.zoom + view.y];
    const near = Math.max(4 / view.zoom, 0);
    const found = layout?.circles.find((circle) => Math.hypot(circle.x - px, circle.y - py) <= circle.r + near);
    return found ? found.group : -1;
  }

  function hover(x, y) {
    const group = groupAt(x, y);
    const document = dotAt(x, y, group);
    if (group === hovered && document === dot) return;
    [hovered, dot] = [group, document];
    tip.hidden = group < 0;
    if (dot >= 0) {
      const name = shownName(model.names[dot].slice(model.root.length));
      tip.textContent = `${name}: ${counted(pairsOfDot().length, "pair")}, group ${counted(model.groups[group])}`;
    } else if (group >= 0) {
      const members = model.members[group];
      const some = members.length < model.sizes[group] ? `${counted(members.length)} of ` : "";
      tip.textContent = `Group ${counted(model.groups[group])}: ${some}${counted(model.sizes[group], "document")}, ${counted(model.pairsOf[group].length, "pair")}, such as ${shownName(model.names[members[0]].slice(model.root.length))}`;
    }
    canvas.style.cursor = group < 0 ? "grab" : "pointer";
    redraw();
  }

  function zoomAt(factor, x = width / 2, y = height / 2) {
    const zoom = Math.min(MOST_ZOOM, Math.max(bounds.zoom / 2, view.zoom * factor));
    view.x += (x - width / 2) * (1 / view.zoom - 1 / zoom);
    view.y += (y - height / 2) * (1 / view.zoom - 1 / zoom);
    view.zoom = zoom;
    redraw();
  }

  function move(dx, dy) {
    view.x -= dx / view.zoom;
    view.y -= dy / view.zoom;
    redraw();
  }

  const pointers = new Map();
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      hover(x, y);
      return;
    }
    moved += Math.hypot(x - before[0], y - before[1]);
    if (pointers.size === 1) {
      move(x - before[0], y - before[1]);
    } else {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const length = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
      zoomAt(length([x, y]) / Math.max(length(before), 1), (x + other[0]) / 2, (y + other[1]) / 2);
    }
    pointers.set(event.pointerId, [x, y]);
  });
  canvas.addEventListener("pointerup", (event) => {
    const isClick = pointers.size === 1 && moved < 5;
    pointers.delete(event.pointerId);
    const group = isClick ? groupAt(...at(event)) : -1;
    if (group >= 0) choose(group);
  });
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => hover(NaN, NaN));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...at(event));
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const keys = {
      ArrowLeft: () => move(ARROW, 0),
      ArrowRight: () => move(-ARROW, 0),
      ArrowUp: () => move(0, ARROW),
      ArrowDown: () => move(0, -ARROW),
      "+": () => zoomAt(1.4),
      "=": () => zoomAt(1.4),
      "-": () => zoomAt(1 / 1.4),
      0: all,
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
    hover(width / 2, height / 2);
  });

  function all() {
    view = { ...bounds };
    redraw();
  }

  function resize() {
    const box = canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    [width, height] = [box.width, box.height];
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (layout && width) fit();
    draw();
  }

  readColours();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColours();
    redraw();
  });
  // Places are found when the graph is about to be seen.
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      layout = layOut(model);
      new ResizeObserver(resize).observe(canvas);
    },
    { rootMargin: "400px" },
  );
  seen.observe(canvas);
  canvas.setAttribute(
    "aria-label",
    `Graph of ${counted(model.groups.length, "group")} with ${counted(model.names.length, "document")}; the table of pairs says the same`,
  );

  return {
    zoomIn: () => zoomAt(1.5),
    zoomOut: () => zoomAt(1 / 1.5),
    all,
    /** Marks a group, or none. */
    mark(group) {
      chosen = group;
      redraw();
    },
  };
}
