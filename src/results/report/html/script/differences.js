// Differences: a passage in both texts in; the words in which they differ out.

/** Words of a passage, on either side, above which it is not compared by words. */
const MOST_WORDS = 20_000;
/** Words that are on one side alone, above which it says more to show none. */
const MOST_OTHERS = 600;

/** The words of a text, and characters that are no words and no white space: `[start, end]` of each. */
function wordPlaces(text) {
  return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu), (found) => [found.index, found.index + found[0].length]);
}

/**
 * What is in one text and not in the other, by the shortest edit script (Myers 1986): of each text the ranges of words that are
 * not in the other in this order. None where there are too many.
 */
function differences(a, b) {
  const places = [wordPlaces(a), wordPlaces(b)];
  if (places.some((words) => words.length > MOST_WORDS)) return [[], []];
  const [x, y] = [a, b].map((text, side) => places[side].map(([start, end]) => text.slice(start, end)));
  let first = 0;
  while (first < x.length && first < y.length && x[first] === y[first]) first += 1;
  let tail = 0;
  while (tail < x.length - first && tail < y.length - first && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail += 1;
  const others = editScript(x.slice(first, x.length - tail), y.slice(first, y.length - tail));
  return others.map((words, side) => joined(words.map((word) => word + first), places[side]));
}

/** The words of each list that are not in the other, by their numbers. */
function editScript(x, y) {
  const most = Math.min(x.length + y.length, MOST_OTHERS);
  // How far each diagonal reaches; before each step a copy is kept, by which the way back is found.
  const reach = new Int32Array(2 * most + 3);
  const steps = [];
  const middle = most + 1;
  for (let step = 0; step <= most; step += 1) {
    steps.push(reach.slice(middle - step - 1, middle + step + 2));
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const at = middle + diagonal;
      let i = diagonal === -step || (diagonal !== step && reach[at - 1] < reach[at + 1]) ? reach[at + 1] : reach[at - 1] + 1;
      while (i < x.length && i - diagonal < y.length && x[i] === y[i - diagonal]) i += 1;
      reach[at] = i;
      if (i >= x.length && i - diagonal >= y.length) return wayBack(steps, x.length, y.length);
    }
  }
  return [[], []];
}

/** The words that the steps of an edit script take, from the last one back. */
function wayBack(steps, i, j) {
  const others = [[], []];
  for (let step = steps.length - 1; step > 0; step -= 1) {
    const reach = (diagonal) => steps[step][diagonal + step + 1];
    const diagonal = i - j;
    const fromB = diagonal === -step || (diagonal !== step && reach(diagonal - 1) < reach(diagonal + 1));
    i = reach(fromB ? diagonal + 1 : diagonal - 1);
    j = i - (fromB ? diagonal + 1 : diagonal - 1);
    if (fromB) others[1].push(j);
    else others[0].push(i);
  }
  return others.map((words) => words.reverse());
}

/** Ranges of characters of words, of which those that follow one another are one. */
function joined(words, places) {
  const ranges = [];
  words.forEach((word, at) => {
    const [start, end] = places[word];
    if (at > 0 && words[at - 1] === word - 1) ranges[ranges.length - 1][1] = end;
    else ranges.push([start, end]);
  });
  return ranges;
}

/** The words in which the near passages of two texts differ: of each text ranges in ascending order. */
function otherWords(a, b, passages) {
  const others = [[], []];
  for (const [fromA, toA, fromB, toB, exact] of passages) {
    if (exact) continue;
    const found = differences(a.slice(fromA, toA), b.slice(fromB, toB));
    [fromA, fromB].forEach((from, side) => others[side].push(...found[side].map(([start, end]) => [from + start, from + end])));
  }
  return others.map((ranges) => ranges.sort((one, other) => one[0] - other[0]));
}
