// Texts: blocks of the page in, unfolded when they are asked for; texts, passages and the parts of their lines out.

/** Blocks that stay unfolded. */
const KEPT_BLOCKS = 8;

/** Characters of a line that are laid out together; a longer line goes on in pieces without a number. */
const LONG_LINE = 2000;

/** Unfolds blocks. `read` returns the text of a block by its number. */
function makeTexts(read) {
  const blocks = new Map();
  async function unfold(number) {
    const bytes = Uint8Array.from(atob(read(number).trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }
  return function block(number) {
    const known = blocks.get(number) ?? unfold(number);
    // The one that was asked for last stands last.
    blocks.delete(number);
    blocks.set(number, known);
    if (blocks.size > KEPT_BLOCKS) blocks.delete(blocks.keys().next().value);
    return known;
  };
}

/** Both texts of a pair, `null` where one is not there, and its passages. */
async function pairTexts(model, block, pair) {
  const document = async (number) =>
    model.text[number] < 0 ? null : (await block(model.text[number])).t[number];
  const passages = async () => (model.passages[pair] < 0 ? [] : (await block(model.passages[pair])).p[pair]);
  const [a, b, found] = await Promise.all([document(model.a[pair]), document(model.b[pair]), passages()]);
  return { a, b, passages: found };
}

/**
 * A text by its lines: the number of each, and its parts, which have the number of their passage, or -1.
 *
 * `ranges`: where each passage begins and ends. Where two overlap, the one that begins first has what both have.
 * `others`: what of the passages is in this text alone, in ascending order; those parts are marked `other`.
 * `removed`: what was not compared, in ascending order; those parts are in no passage, and are marked `removed`.
 */
function linesOf(text, numbers, ranges, others = [], removed = []) {
  const lines = passageLines(text, numbers, ranges, others);
  if (removed.length === 0) return lines;
  let next = 0;
  for (const line of lines) {
    let at = line.start;
    line.parts = line.parts.flatMap((part) => {
      const cut = [];
      const end = at + part.text.length;
      for (let from = at; from < end; ) {
        while (next < removed.length && removed[next][1] <= from) next += 1;
        const [start, stop] = removed[next] ?? [end, end];
        const isRemoved = start <= from;
        const to = Math.min(end, isRemoved ? stop : Math.max(start, from + 1));
        const piece = { ...part, text: text.slice(from, to) };
        cut.push(isRemoved ? { text: piece.text, passage: -1, first: false, removed: true } : piece);
        from = to;
      }
      // The number of a passage stands where its first part is that was compared.
      cut.filter((piece) => piece.passage >= 0).forEach((piece, place) => (piece.first = part.first && place === 0));
      at = end;
      return cut;
    });
  }
  return lines;
}

/** The lines of a text with their passages, and where each line begins. */
function passageLines(text, numbers, ranges, others) {
  const order = ranges.map((range, passage) => [...range, passage]).filter(([start, end]) => start < end);
  order.sort((one, other) => one[0] - other[0] || one[2] - other[2]);
  const end = text.includes("\n") ? "\n" : "\r";
  const lines = [];
  let next = 0;
  let shown = new Set();
  let done = 0;
  let other = 0;
  /** The parts of a stretch of one passage. */
  function* partsOf(from, to, passage) {
    while (from < to) {
      while (other < others.length && others[other][1] <= from) other += 1;
      const [start, end] = others[other] ?? [to, to];
      const isOther = start <= from;
      const stop = Math.min(to, isOther ? end : start);
      yield { text: text.slice(from, stop), passage, first: !shown.has(passage), ...(isOther && { other: true }) };
      shown.add(passage);
      from = stop;
    }
  }
  for (let start = 0, line = 0; start <= text.length; line += 1) {
    const found = text.indexOf(end, start);
    const last = found < 0 ? text.length : found;
    const parts = [];
    let at = start;
    // What is left of a passage that began before.
    while (next < order.length) {
      const [from, to, passage] = order[next];
      const begin = Math.max(from, at, done);
      if (begin > last || (begin === last && to > last && from >= last)) break;
      const stop = Math.min(to, last);
      if (begin > at) parts.push({ text: text.slice(at, begin), passage: -1, first: false });
      if (stop > begin) {
        parts.push(...partsOf(begin, stop, passage));
      }
      at = Math.max(at, stop);
      if (to > last) break;
      done = Math.max(done, to);
      next += 1;
    }
    if (at < last) parts.push({ text: text.slice(at, last), passage: -1, first: false });
    const tail = parts[parts.length - 1];
    if (end === "\n" && tail?.text.endsWith("\r")) tail.text = tail.text.slice(0, -1);
    lines.push({ number: numbers?.[line] ?? line + 1, start, parts });
    if (found < 0) break;
    start = found + 1;
  }
  // Behind the last end there is no line to see.
  if (lines.length > 1 && lines[lines.length - 1].parts.length === 0) lines.pop();
  return lines;
}

/** Lines, of which the long ones are cut into pieces: a browser takes very long for a block of a million characters. */
function piecesOf(lines) {
  return lines.flatMap((line) => {
    if (line.parts.reduce((length, part) => length + part.text.length, 0) <= LONG_LINE) return [line];
    const pieces = [{ number: line.number, parts: [] }];
    let room = LONG_LINE;
    for (const part of line.parts) {
      for (let at = 0; at < part.text.length; ) {
        if (room <= 0) {
          pieces.push({ number: "", parts: [] });
          room = LONG_LINE;
        }
        let end = Math.min(at + room, part.text.length);
        // The two halves of a character stay together.
        if (end < part.text.length && /[\uDC00-\uDFFF]/.test(part.text[end])) end += 1;
        pieces[pieces.length - 1].parts.push({ ...part, text: part.text.slice(at, end), first: part.first && at === 0 });
        room -= end - at;
        at = end;
      }
    }
    return pieces;
  });
}
