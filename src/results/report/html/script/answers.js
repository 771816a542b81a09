// Answers: what a person says of pairs, as the lines of `dedup review`, kept by the browser and saved as a file, or as a table.

/** The answers, in the order of their buttons. */
const ANSWERS = ["yes", "no", "skip"];

/** A value as JSON, with escapes for what a terminal or an editor would not show as it is. */
function escapedJson(value) {
  const all = new RegExp(UNSEEN, "g");
  return JSON.stringify(value).replace(all, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A text as a cell of CSV. A spreadsheet would compute a cell that begins like a formula, so an apostrophe comes before it. */
function cell(text) {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * The answers about the pairs of a model. `stored` is the text that the browser keeps of this result, or null.
 *
 * An answer is "yes", "no", "skip" or "", and a note is a text.
 */
function makeAnswers(model, stored) {
  const said = new Map();
  const nameOf = (document) => model.raw[document] ?? model.names[document];
  const key = (a, b) => JSON.stringify([a, b]);
  const pairs = new Map(model.a.map((a, pair) => [key(nameOf(a), nameOf(model.b[pair])), pair]));
  /** Pairs whose answer was part of the page, so that its withdrawal is kept too. */
  const given = new Set();
  for (const [pair, answer, note] of model.answers) {
    said.set(pair, { answer, note });
    given.add(pair);
  }

  function set(pair, change) {
    const { answer, note } = { ...of(pair), ...change };
    // The last one stands last, as in a file to which answers are added.
    said.delete(pair);
    if (answer || note || given.has(pair)) said.set(pair, { answer, note });
  }

  const of = (pair) => said.get(pair) ?? { answer: "", note: "" };

  /** Adds the lines of a file of answers. Returns how many are about pairs of the page; `null` where a line is no answer. */
  function add(text) {
    const changes = [];
    for (const line of text.split("\n").filter((one) => one.trim())) {
      try {
        const { a, b, answer, note } = JSON.parse(line);
        if (!ANSWERS.includes(answer) && answer !== "undone") return null;
        const change = { answer: answer === "undone" ? "" : answer, ...(typeof note === "string" && { note }) };
        changes.push([pairs.get(key(a, b)), change]);
      } catch {
        return null;
      }
    }
    const known = changes.filter(([pair]) => pair !== undefined);
    known.forEach(([pair, change]) => set(pair, change));
    return known.length;
  }

  /** The answers as lines that `dedup review` and `dedup report` read. */
  function lines() {
    const line = ([pair, { answer, note }]) => {
      const [a, b] = [nameOf(model.a[pair]), nameOf(model.b[pair])];
      const jaccard = (model.jaccard.length ? model.jaccard : model.share)[pair] / 1e6;
      const record = { a, b, jaccard, answer: answer || "undone" };
      return `${escapedJson(note || given.has(pair) ? { ...record, note: note.toWellFormed() } : record)}\n`;
    };
    return [...said].map(line).join("");
  }

  /** The answers as a table for a spreadsheet. */
  function csv() {
    const row = ([pair, { answer, note }]) => {
      const jaccard = (model.jaccard.length ? model.jaccard : model.share)[pair] / 1e6;
      return [model.names[model.a[pair]], model.names[model.b[pair]], String(jaccard), answer, note.toWellFormed()].map(cell).join(",");
    };
    const rows = [...said].filter(([, { answer, note }]) => answer || note).map(row);
    return ["a,b,jaccard,answer,note", ...rows, ""].join("\n");
  }

  if (stored) add(stored);
  return {
    of,
    set,
    add,
    lines,
    csv,
    /** How many pairs have an answer, and how many have only a note. */
    counts() {
      const all = [...said.values()];
      return [all.filter(({ answer }) => answer).length, all.filter(({ answer, note }) => !answer && note).length];
    },
  };
}

/** Keeps a text under a key in this browser. `keep` returns whether that is possible, as it is not in some private windows. */
function makeStore(key) {
  return {
    read() {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    keep(text) {
      try {
        if (text) localStorage.setItem(key, text);
        else localStorage.removeItem(key);
        return true;
      } catch {
        return false;
      }
    },
  };
}
