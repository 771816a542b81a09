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
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** How a cell begins that gets an apostrophe. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n'])/;

/**
 * The rows of a table of answers, as objects with a key for each column; `null` where the first line is no header of one. A
 * spreadsheet may have written a byte order mark, and semicolons or tabs between the cells.
 */
function tableRows(text) {
  const plain = text.replace(/^\ufeff/, "");
  const header = plain.split(/\r?\n/, 1)[0];
  const columnsOf = (delimiter) => header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, "$1").toLowerCase());
  const isTable = (delimiter) => ["a", "b", "answer"].every((column) => columnsOf(delimiter).includes(column));
  const delimiter = [",", ";", "\t"].find(isTable);
  if (!delimiter) return null;
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|\\r|$)`, "gy");
  const rows = [[]];
  for (const [whole, quoted, bare, end] of plain.matchAll(pattern)) {
    const own = quoted?.replaceAll('""', '"') ?? bare;
    if (whole || rows.at(-1).length) rows.at(-1).push(own.startsWith("'") && FORMULA.test(own.slice(1)) ? own.slice(1) : own);
    if (end !== delimiter) rows.push([]);
  }
  const columns = columnsOf(delimiter);
  const isBlank = (row) => row.every((one) => !one);
  const named = (row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? ""]));
  return rows.slice(1).filter((row) => !isBlank(row)).map(named);
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

  /** The name of a document, from its cell in a table. */
  const ofCell = (text) => (text.startsWith('{"bytes":') ? JSON.parse(text) : text);

  /** The lines that the rows of a table stand for. */
  function linesOfRows(rows) {
    const line = ({ a, b, answer, note = "" }) => {
      const said = answer.trim().toLowerCase() || "undone";
      return JSON.stringify({ a: ofCell(a), b: ofCell(b), answer: said, ...(note && { note }) });
    };
    return rows.filter(({ answer, note }) => answer || note).map(line).join("\n");
  }

  /** Adds a file of answers. Returns how many are about pairs of the page; `null` where a line is no answer. */
  function add(file) {
    const rows = tableRows(file);
    const text = rows ? linesOfRows(rows) : file;
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

  /** The answers as a table for a spreadsheet, which `dedup review` and `dedup report` read too. */
  function csv() {
    const name = (document) => {
      const raw = nameOf(document);
      return typeof raw === "string" ? raw : JSON.stringify(raw);
    };
    const row = ([pair, { answer, note }]) => {
      const jaccard = (model.jaccard.length ? model.jaccard : model.share)[pair] / 1e6;
      return [name(model.a[pair]), name(model.b[pair]), String(jaccard), answer, note.toWellFormed()].map(cell).join(",");
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
