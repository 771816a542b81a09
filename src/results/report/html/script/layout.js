// Layout: groups with their pairs in; a place for each document and each group out. The same groups get the same places.

/** The angle by which seeds of a sunflower follow one another. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
/** Members of a group that find their places by their pairs; in larger ones those with the most pairs stand in the middle. */
const MOST_PUSHED = 120;
/** The distance of two documents. */
const STEP = 14;

/** Places of documents, and circles of groups, the largest in the middle. */
function layOut(model) {
  const x = new Float64Array(model.names.length);
  const y = new Float64Array(model.names.length);
  const degree = new Uint32Array(model.names.length);
  for (let pair = 0; pair < model.size; pair += 1) {
    degree[model.a[pair]] += 1;
    degree[model.b[pair]] += 1;
  }
  const circles = model.members.map((members, group) => {
    const order = [...members].sort((one, other) => degree[other] - degree[one] || one - other);
    order.forEach((document, at) => {
      const radius = STEP * 0.62 * Math.sqrt(at);
      x[document] = radius * Math.cos(at * GOLDEN);
      y[document] = radius * Math.sin(at * GOLDEN);
    });
    if (members.length > 2 && members.length <= MOST_PUSHED) push(model, group, x, y);
    return { group, r: centre(members, x, y) + STEP };
  });
  pack(circles);
  for (const { group, x: left, y: top } of circles) {
    for (const document of model.members[group]) {
      x[document] += left;
      y[document] += top;
    }
  }
  return { x, y, circles };
}

/** Moves the members of a group apart, and those of a pair together. */
function push(model, group, x, y) {
  const members = model.members[group];
  for (let round = 0; round < 60; round += 1) {
    const most = STEP * (1 - round / 60) * 0.6;
    const moves = new Map(members.map((document) => [document, [0, 0]]));
    for (let one = 0; one < members.length; one += 1) {
      for (let other = one + 1; other < members.length; other += 1) {
        force(members[one], members[other], (distance) => (STEP * STEP) / distance);
      }
    }
    for (const pair of model.pairsOf[group]) {
      force(model.a[pair], model.b[pair], (distance) => -(distance * distance) / STEP);
    }
    for (const [document, [dx, dy]] of moves) {
      const length = Math.hypot(dx, dy) || 1;
      const step = Math.min(length, most) / length;
      x[document] += dx * step;
      y[document] += dy * step;
    }
    function force(one, other, of) {
      const [dx, dy] = [x[one] - x[other], y[one] - y[other]];
      const distance = Math.max(Math.hypot(dx, dy), 0.5);
      const strength = of(distance) / distance;
      for (const [document, sign] of [[one, 1], [other, -1]]) {
        const move = moves.get(document);
        move[0] += sign * dx * strength;
        move[1] += sign * dy * strength;
      }
    }
  }
}

/** Brings the middle of documents to the origin, and returns how far they reach from it. */
function centre(members, x, y) {
  const mean = (places) => members.reduce((sum, document) => sum + places[document], 0) / members.length;
  const [left, top] = [mean(x), mean(y)];
  let reach = 0;
  for (const document of members) {
    x[document] -= left;
    y[document] -= top;
    reach = Math.max(reach, Math.hypot(x[document], y[document]));
  }
  return reach;
}

/** Gives circles places along a spiral on which none covers another. They come by falling size. */
function pack(circles) {
  const gap = STEP * 0.8;
  const cell = 5 * STEP;
  const grid = new Map();
  // The circles in the cells that a circle covers.
  function* cells(x, y, r) {
    for (let column = Math.floor((x - r) / cell); column <= Math.floor((x + r) / cell); column += 1) {
      for (let row = Math.floor((y - r) / cell); row <= Math.floor((y + r) / cell); row += 1) {
        yield column * 65536 + row;
      }
    }
  }
  function isFree(x, y, r) {
    for (const key of cells(x, y, r + gap)) {
      for (const other of grid.get(key) ?? []) {
        if (Math.hypot(other.x - x, other.y - y) < other.r + r + gap) return false;
      }
    }
    return true;
  }
  const sorted = [...circles].sort((one, other) => other.r - one.r || one.group - other.group);
  let [angle, radius, last] = [0, 0, Infinity];
  for (const circle of sorted) {
    // Between larger ones there may be room for what is much smaller.
    if (circle.r < last * 0.7) [angle, radius] = [0, 0];
    if (circle.r < last * 0.7 || last === Infinity) last = circle.r;
    for (;;) {
      const [x, y] = [radius * Math.cos(angle) * 1.45, radius * Math.sin(angle)];
      const step = (circle.r * 0.7) / Math.max(radius, circle.r);
      angle += step;
      radius += ((circle.r + gap) * step) / (2 * Math.PI);
      if (!isFree(x, y, circle.r)) continue;
      Object.assign(circle, { x, y });
      for (const key of cells(x, y, circle.r)) {
        if (!grid.has(key)) grid.set(key, []);
        grid.get(key).push(circle);
      }
      break;
    }
  }
}
