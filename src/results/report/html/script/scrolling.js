// Scrolling: where passages stand in two texts in; which place of one belongs to a place of the other out.

/**
 * The places that two texts have in common, rising in both: of passages that cross, those that are the highest together.
 *
 * `passages`: `[top of A, bottom of A, top of B, bottom of B]`; `ends`: the heights of both.
 */
function anchorsOf(passages, ends) {
  const sorted = passages.filter(([a, aEnd, b, bEnd]) => aEnd >= a && bEnd >= b).sort((one, other) => one[0] - other[0]);
  const best = [];
  sorted.forEach(([a, aEnd, b], at) => {
    let [weight, before] = [0, -1];
    for (let earlier = 0; earlier < at; earlier += 1) {
      if (sorted[earlier][1] <= a && sorted[earlier][3] <= b && best[earlier].weight > weight) {
        [weight, before] = [best[earlier].weight, earlier];
      }
    }
    best.push({ weight: weight + (aEnd - a) + 1, before });
  });
  let last = best.reduce((most, one, at) => (most < 0 || one.weight > best[most].weight ? at : most), -1);
  const chain = [];
  for (; last >= 0; last = best[last].before) chain.unshift(sorted[last]);
  const anchors = [[0, 0]];
  for (const [a, aEnd, b, bEnd] of chain) anchors.push([a, b], [aEnd, bEnd]);
  anchors.push(ends);
  return anchors;
}

/** The place of the other text for a place of this one: between two anchors in proportion. `from`: 0 or 1, this text. */
function otherPlace(anchors, from, place) {
  const to = 1 - from;
  for (let at = 1; at < anchors.length; at += 1) {
    const [before, behind] = [anchors[at - 1], anchors[at]];
    if (place > behind[from] && at < anchors.length - 1) continue;
    const length = behind[from] - before[from];
    const share = length > 0 ? Math.min(Math.max((place - before[from]) / length, 0), 1) : 0;
    return before[to] + share * (behind[to] - before[to]);
  }
  return place;
}
