// Model: the index of a page in; pairs by number, filtered and sorted, out. Nothing here knows of the page.

/** Folders that can be chosen. */
const MOST_FOLDERS = 300;

/** What is known of the pairs, the documents and the groups of an index. */
function makeModel(index) {
  const { names, a, b, of, groups, share, contained, shared } = index;
  const lower = names.map((name) => name.toLowerCase());
  const root = commonFolder(names);
  const members = groups.map(() => []);
  of.forEach((group, document) => members[group].push(document));
  const pairsOf = groups.map(() => []);
  a.forEach((document, pair) => pairsOf[of[document]].push(pair));
  const most = contained.map(([one, other]) => Math.max(one, other));
  const groupOf = a.map((document) => groups[of[document]]);
  return { ...index, lower, root, members, pairsOf, most, groupOf, size: share.length, lostSet: new Set(index.lost), shared };
}

/** The folder that all names are in, with its slash; empty where there is none. */
function commonFolder(names) {
  if (names.length === 0) return "";
  let folder = splitName(names[0])[0];
  for (const name of names) {
    while (!name.startsWith(folder)) folder = splitName(folder.slice(0, -1))[0];
  }
  return folder;
}

/** The folders below the common one, by name, and how many documents each has: those with the most. */
function foldersOf(model) {
  const counts = new Map();
  for (const name of model.names) {
    for (let slash = name.indexOf("/", model.root.length); slash >= 0; slash = name.indexOf("/", slash + 1)) {
      const folder = name.slice(0, slash + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const folders = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  return folders.slice(0, MOST_FOLDERS).sort((one, other) => (one[0] < other[0] ? -1 : 1));
}

/** Whether what a person said of a pair is what a filter wants. */
function hasAnswer({ answer, note }, wanted) {
  if (wanted === "note") return note !== "";
  return wanted === "none" ? answer === "" : answer === wanted;
}

/**
 * The pairs that a query leaves, in its order.
 *
 * - `words`: each is in one of the names;
 * - `least`, `contained`: millionths;
 * - `group`: its number;
 * - `folder`: one of the documents is in it;
 * - `answer`: an answer, "none" for pairs without one, or "note" for pairs with a note; `said` returns what a person said of a pair;
 * - `sort`, `rising`: by what, and whether the least comes first; equal ones keep their order.
 */
function select(model, query) {
  const words = (query.words ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const { a, b, lower, names, share, most, groupOf } = model;
  const pairs = [];
  for (let pair = 0; pair < model.size; pair += 1) {
    if (share[pair] < (query.least ?? 0)) continue;
    if (query.contained && most[pair] < query.contained) continue;
    if (query.group && groupOf[pair] !== query.group) continue;
    if (query.folder && !names[a[pair]].startsWith(query.folder) && !names[b[pair]].startsWith(query.folder)) continue;
    if (query.answer && !hasAnswer(query.said(pair), query.answer)) continue;
    if (!words.every((word) => lower[a[pair]].includes(word) || lower[b[pair]].includes(word))) continue;
    pairs.push(pair);
  }
  const value = {
    share: (pair) => share[pair],
    contained: (pair) => most[pair],
    shared: (pair) => model.shared[pair],
    kept: (pair) => model.kept[pair],
    group: (pair) => groupOf[pair],
    a: (pair) => names[a[pair]],
    b: (pair) => names[b[pair]],
  }[query.sort];
  if (value) {
    const sign = query.rising ? 1 : -1;
    const order = (one, other) => (one < other ? -sign : one > other ? sign : 0);
    pairs.sort((one, other) => order(value(one), value(other)) || one - other);
  }
  return pairs;
}
