// The parts of the page's script that know of no page: words, the model, lines of texts, scrolling and layout.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { deflateRawSync } from "node:zlib";

const folder = new URL("../../src/results/report/html/script/", import.meta.url);
const parts = ["words", "model", "answers", "texts", "differences", "scrolling", "layout"];
const names =
  "percent counted olderClause visibleParts shownName splitName commonEnds makeModel commonFolder foldersOf select makeAnswers makeTexts pairTexts linesOf piecesOf differences otherWords anchorsOf otherPlace layOut";
const source = parts.map((part) => readFileSync(new URL(`${part}.js`, folder), "utf8")).join("");
const page = new Function(`"use strict";\n${source}\nreturn { ${names.split(" ").join(", ")} };`)();

/** Pairs of documents: `[a, b, share, contained of a, contained of b]`, in groups of two and three. */
function model() {
  const names = ["src/a/one.txt", "src/a/two.txt", "src/b/Three.txt", "src/b/c/four.txt", "src/five.txt"];
  const pairs = [
    [0, 1, 1000000, 1000000, 1000000],
    [2, 3, 900000, 950000, 940000],
    [3, 4, 850000, 860000, 990000],
  ];
  return page.makeModel({
    names,
    groups: [1, 2],
    of: [1, 1, 0, 0, 0],
    a: pairs.map((pair) => pair[0]),
    b: pairs.map((pair) => pair[1]),
    share: pairs.map((pair) => pair[2]),
    contained: pairs.map((pair) => pair.slice(3)),
    shared: [10, 30, 20],
    kept: [-1, 500000, 700000],
    text: [0, 0, 0, 0, -1],
    passages: [0, 0, -1],
    lost: [4],
    raw: { 3: { bytes: "/w==" } },
    jaccard: [],
    answers: [[2, "no", "of the page"]],
  });
}

test("shares are never rounded up, and counts have commas", () => {
  assert.deepEqual([1000000, 999999, 973400, 970000, 0].map(page.percent), ["100 %", "99.9 %", "97.3 %", "97 %", "0 %"]);
  assert.deepEqual([page.counted(1, "pair"), page.counted(1234567, "pair"), page.counted(1000)], ["1 pair", "1,234,567 pairs", "1,000"]);
});

test("the older file of a pair is named where both times are known and differ", () => {
  assert.equal(page.olderClause(86400, 60), "the file of the second is older, 1970-01-01 00:01 to 1970-01-02 00:00 UTC");
  assert.match(page.olderClause(60, 86400), /^the file of the first is older/);
  assert.match(page.olderClause(60, 86400, true), /^the first is older/);
  for (const times of [[-1, 5], [5, -1], [5, 5], [undefined, undefined]]) assert.equal(page.olderClause(...times), "");
});

test("what is not seen is shown, and joiners of emoji are left alone", () => {
  assert.deepEqual(page.visibleParts("a\u202eb"), ["a", { code: "202E" }, "b"]);
  assert.deepEqual(page.visibleParts("👩\u200d👩"), ["👩\u200d👩"]);
  assert.equal(page.shownName("a\n\u0007\u202e.txt"), "a\\u{a}\\u{0007}\\u{202e}.txt");
});

test("the ends that names have in common do not overlap, and cut no character", () => {
  assert.deepEqual(page.commonEnds("essays/alice/main.py", "essays/bob/main.py"), [7, 8]);
  assert.deepEqual(page.commonEnds("aa", "aaa"), [2, 0]);
  assert.deepEqual(page.commonEnds("", "a"), [0, 0]);
  // Two characters with one half in common.
  assert.deepEqual(page.commonEnds("x😀", "x😁"), [1, 0]);
  assert.deepEqual(page.commonEnds("\u{1f600}x", "\u{1fa00}x"), [0, 1]);
});

test("filters leave the pairs that fit all of them", () => {
  const pairs = (query) => page.select(model(), query);
  assert.deepEqual(pairs({}), [0, 1, 2]);
  assert.deepEqual(pairs({ words: "THREE four" }), [1]);
  assert.deepEqual(pairs({ words: "nothing" }), []);
  assert.deepEqual(pairs({ least: 900000 }), [0, 1]);
  assert.deepEqual(pairs({ contained: 980000 }), [0, 2]);
  assert.deepEqual(pairs({ group: 2 }), [0]);
  assert.deepEqual(pairs({ folder: "src/b/c/" }), [1, 2]);
  assert.deepEqual(pairs({ folder: "src/b/", least: 900000, words: "txt" }), [1]);
});

test("answers are lines that are read back, and the last one of a pair counts", () => {
  const answers = page.makeAnswers(model(), null);
  assert.deepEqual([0, 2].map((pair) => answers.of(pair)), [{ answer: "", note: "" }, { answer: "no", note: "of the page" }]);
  answers.set(0, { answer: "yes" });
  answers.set(1, { note: "two\u202e \ud800" });
  answers.set(0, { note: "both \"asked\"" });
  assert.deepEqual(answers.counts(), [2, 1]);
  const lines = answers.lines();
  assert.ok(!/[^\n -~]/.test(lines.replace("\ufffd", "")), lines);
  assert.deepEqual(lines.trim().split("\n").map((line) => JSON.parse(line)), [
    { a: { bytes: "/w==" }, b: "src/five.txt", jaccard: 0.85, answer: "no", note: "of the page" },
    { a: "src/b/Three.txt", b: { bytes: "/w==" }, jaccard: 0.9, answer: "undone", note: "two\u202e \ufffd" },
    { a: "src/a/one.txt", b: "src/a/two.txt", jaccard: 1, answer: "yes", note: 'both "asked"' },
  ]);
  const again = page.makeAnswers(model(), lines);
  assert.equal(again.lines(), lines);
  // A table has the names of the lines, and no cell that a spreadsheet would compute.
  again.set(0, { note: '=1, "both"' });
  const names = [...model().names.slice(0, 3), `"{""bytes"":""/w==""}"`, "src/five.txt"];
  const rows = [[2, 0.85, "no", "of the page"], [1, 0.9, "", "two\u202e \ufffd"], [0, 1, "yes", `"'=1, ""both"""`]];
  const table = rows.map(([pair, ...rest]) => [names[model().a[pair]], names[model().b[pair]], ...rest].join(","));
  assert.equal(again.csv(), ["a,b,jaccard,answer,note", ...table, ""].join("\n"));
  again.set(0, { note: 'both "asked"' });
  // What the page was given stays withdrawn, and what it was not given leaves no line.
  again.set(2, { answer: "", note: "" });
  again.set(1, { note: "" });
  assert.match(again.lines(), /"answer":"undone","note":""\}\n$/);
  assert.equal(again.lines().split("\n").length, 3);
  assert.deepEqual(page.makeAnswers(model(), again.lines()).of(2), { answer: "", note: "" });
  // A table is read back, also as a spreadsheet writes it.
  const sheet = again.csv().split("\n").map((row) => row.replaceAll(",", ";")).join("\r\n").replace("yes", "YES");
  for (const text of [again.csv(), `\ufeff${sheet}\r\n`]) {
    const read = page.makeAnswers(model(), null);
    assert.equal(read.add(text), 1);
    assert.deepEqual([read.of(0), read.of(1)], [{ answer: "yes", note: 'both "asked"' }, { answer: "", note: "" }]);
  }
  const three = page.makeAnswers(model(), null);
  assert.equal(three.add(`note,answer,b,a\n'=1,,src/a/two.txt,src/a/one.txt\n\n"a\nline",no,"{""bytes"":""/w==""}",src/b/Three.txt\n`), 2);
  assert.deepEqual([three.of(0), three.of(1)], [{ answer: "", note: "=1" }, { answer: "no", note: "a\nline" }]);
  assert.equal(three.add("a,b,answer\nx,y,perhaps\n"), null);
  // Lines of other pairs are not counted, and nothing is taken from a file that is none.
  const other = '{"a":"x","b":"y","jaccard":1,"answer":"yes"}\n{"a":"src/a/one.txt","b":"src/a/two.txt","jaccard":1,"answer":"skip"}\n';
  assert.deepEqual([again.add(other), again.of(0)], [1, { answer: "skip", note: 'both "asked"' }]);
  for (const bad of ["{}", "x", '{"answer":"maybe"}', `${other}null`]) assert.equal(again.add(bad), null);
  const said = again.of;
  assert.deepEqual(["skip", "none", "note", "yes"].map((answer) => page.select(model(), { answer, said })), [[0], [1, 2], [0], []]);
});

test("every order is the one that comparing all pairs gives", () => {
  const size = 200;
  const random = (at, most) => (at * 7919 + 104729 * (at % 13)) % most;
  const numbers = (most) => Array.from({ length: size }, (_, at) => random(at + most, most));
  const names = Array.from({ length: size }, (_, at) => `f${random(at, 50)}/${at}`);
  const index = {
    names,
    groups: [1, 2, 3],
    of: numbers(3),
    a: numbers(size),
    b: numbers(size),
    share: numbers(20),
    contained: numbers(10).map((value) => [value, 3]),
    shared: numbers(7),
    kept: numbers(9),
    text: [],
    passages: [],
    lost: [],
    raw: {},
    jaccard: [],
    answers: [],
  };
  const model = page.makeModel(index);
  const value = {
    share: (pair) => index.share[pair],
    contained: (pair) => Math.max(...index.contained[pair]),
    shared: (pair) => index.shared[pair],
    kept: (pair) => index.kept[pair],
    group: (pair) => index.groups[index.of[index.a[pair]]],
    a: (pair) => names[index.a[pair]],
    b: (pair) => names[index.b[pair]],
  };
  for (const [sort, of] of Object.entries(value)) {
    for (const rising of [true, false]) {
      const pairs = page.select(model, { sort, rising });
      for (let at = 1; at < size; at += 1) {
        const [before, behind] = [of(pairs[at - 1]), of(pairs[at])];
        const fits = before === behind ? pairs[at - 1] < pairs[at] : before < behind === rising;
        assert.ok(fits, `${sort} ${rising} at ${at}`);
      }
    }
  }
});

test("folders are those below the common one", () => {
  assert.equal(model().root, "src/");
  assert.deepEqual(page.foldersOf(model()), [["src/a/", 2], ["src/b/", 2], ["src/b/c/", 1]]);
  assert.equal(page.commonFolder(["a/b", "c/d"]), "");
});

test("texts are unfolded when they are asked for, once", async () => {
  const blocks = [{ t: { 0: { s: "née </script>" }, 1: { s: "b", l: [5] } }, p: { 0: [[0, 1, 0, 1, 1]] } }];
  const reads = [];
  const block = page.makeTexts((number) => {
    reads.push(number);
    return deflateRawSync(Buffer.from(JSON.stringify(blocks[number]))).toString("base64");
  });
  const found = await page.pairTexts(model(), block, 0);
  assert.deepEqual(found, { a: { s: "née </script>" }, b: { s: "b", l: [5] }, passages: [[0, 1, 0, 1, 1]] });
  await page.pairTexts(model(), block, 0);
  assert.deepEqual(reads, [0]);
  assert.equal((await page.pairTexts(model(), block, 2)).b, null);
});

/** Each character of a text with its passage, by looking at every range. */
function slowly(text, ranges) {
  const covering = (at) => {
    const order = ranges.map(([from, to], passage) => ({ from, to, passage })).filter(({ from, to }) => from < to);
    order.sort((one, other) => one.from - other.from || one.passage - other.passage);
    return order.find(({ from, to }) => from <= at && at < to)?.passage ?? -1;
  };
  return [...text].map((c, at) => (c === "\n" ? "|" : `${c}${covering(at)}`)).join(" ");
}

test("the parts of lines are those that a look at every character gives", () => {
  let state = 1;
  const random = (most) => (state = (state * 48271) % 2147483647) % most;
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: random(14) }, () => "ab\n"[random(3)]).join("");
    // Passages of one text cover nothing twice.
    const cuts = [...new Set(Array.from({ length: 6 }, () => random(text.length + 1)))].sort((one, other) => one - other);
    const ranges = [];
    for (let at = 0; at + 1 < cuts.length; at += 1) if (random(2)) ranges.push([cuts[at], cuts[at + 1]]);
    ranges.reverse();
    const lines = page.linesOf(text, undefined, ranges);
    const shown = lines.map(({ parts }) => parts.flatMap(({ text, passage }) => [...text].map((c) => `${c}${passage}`)).join(" "));
    const expected = slowly(text, ranges).split("|").map((line) => line.trim());
    if (expected.length > 1 && expected[expected.length - 1] === "") expected.pop();
    assert.deepEqual(shown, expected, JSON.stringify([text, ranges]));
    const firsts = lines.flatMap(({ parts }) => parts.filter(({ first }) => first).map(({ passage }) => passage));
    assert.equal(new Set(firsts).size, firsts.length);
  }
  assert.deepEqual(page.linesOf("a\r\nb", [7, 9], []).map(({ number, parts }) => [number, parts[0].text]), [[7, "a"], [9, "b"]]);
  assert.deepEqual(page.linesOf("a\rb", undefined, []).length, 2);
  assert.deepEqual(page.linesOf("", undefined, []), [{ number: 1, start: 0, parts: [] }]);
  // Long lines are cut into pieces that say the same, and no character is cut.
  const long = "ab\n" + "x😀".repeat(3000) + "\ncd";
  const pieces = page.piecesOf(page.linesOf(long, undefined, [[10, 8001]]));
  assert.deepEqual(pieces.map(({ number }) => number).filter((number) => number !== ""), [1, 2, 3]);
  assert.equal(pieces.map(({ parts }) => parts.map((part) => part.text).join("")).join(""), long.replaceAll("\n", ""));
  assert.equal(pieces.flatMap(({ parts }) => parts).filter((part) => part.first).length, 1);
  const size = ({ parts }) => parts.reduce((sum, part) => sum + part.text.length, 0);
  assert.ok(pieces.every((piece) => size(piece) <= 2001 && piece.parts.every((part) => part.text.isWellFormed())));
});

test("the words in which near passages differ are those of the shortest edit script", () => {
  const words = (a, b) => page.differences(a, b).map((ranges, side) => ranges.map(([start, end]) => [a, b][side].slice(start, end)));
  assert.deepEqual(words("Eighty-three people left", "Eighty-six people left"), [["three"], ["six"]]);
  assert.deepEqual(words("a b c d", "a d"), [["b c"], []]);
  assert.deepEqual(words("", "x, y"), [[], ["x, y"]]);
  assert.deepEqual(words("same  text", "same text"), [[], []]);
  // As many as the longest common subsequence leaves, and without them both are the same.
  let seed = 7;
  const random = (most) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  for (let trial = 0; trial < 300; trial += 1) {
    const [a, b] = [0, 1].map(() => Array.from({ length: random(12) }, () => "pqr"[random(3)]).join(" "));
    const rest = (text, ranges) => [...text].filter((_, at) => !ranges.some(([start, end]) => at >= start && at < end)).join("").match(/\w/g) ?? [];
    const [ofA, ofB] = page.differences(a, b);
    assert.deepEqual(rest(a, ofA), rest(b, ofB), `${a} / ${b}`);
    const [x, y] = [a.match(/\w/g) ?? [], b.match(/\w/g) ?? []];
    const table = [...x, 0].map(() => Array(y.length + 1).fill(0));
    for (let i = x.length - 1; i >= 0; i -= 1) {
      for (let j = y.length - 1; j >= 0; j -= 1) {
        table[i][j] = x[i] === y[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
      }
    }
    assert.equal(rest(a, ofA).length, table[0][0], `${a} / ${b}`);
  }
  // Texts of other words have too many.
  const many = (word) => Array.from({ length: 900 }, (_, at) => word + at).join(" ");
  assert.deepEqual(page.differences(many("x"), many("y")), [[], []]);
  // Near passages alone, and in the places of the whole text; parts of lines say which they are.
  const [a, b] = ["0 one two three\nfour", "one 2 three four"];
  const others = page.otherWords(a, b, [[2, 20, 0, 16, false], [0, 1, 0, 1, true]]);
  assert.deepEqual(others, [[[6, 9]], [[4, 5]]]);
  const lines = page.linesOf(a, undefined, [[2, 20]], others[0]);
  assert.deepEqual(lines[0].parts.map(({ text, other, first }) => [text, other ?? false, first]), [
    ["0 ", false, false],
    ["one ", false, true],
    ["two", true, false],
    [" three", false, false],
  ]);
});

test("passages that cross do not turn the scrolling back", () => {
  const anchors = page.anchorsOf([[10, 20, 100, 110], [30, 90, 10, 70], [95, 99, 120, 130]], [200, 300]);
  assert.deepEqual(anchors, [[0, 0], [30, 10], [90, 70], [95, 120], [99, 130], [200, 300]]);
  assert.equal(page.otherPlace(anchors, 0, 60), 40);
  assert.equal(page.otherPlace(anchors, 1, 40), 60);
  assert.equal(page.otherPlace(anchors, 0, 1000), 300);
  let before = 0;
  for (let place = 0; place <= 200; place += 1) {
    const other = page.otherPlace(anchors, 0, place);
    assert.ok(other >= before);
    before = other;
  }
  assert.deepEqual(page.anchorsOf([], [5, 6]), [[0, 0], [5, 6]]);
});

test("no group covers another, and the same groups get the same places", () => {
  const sizes = [150, 40, 12, ...Array(60).fill(3), ...Array(300).fill(2)];
  const index = { names: [], groups: [], of: [], a: [], b: [], share: [], contained: [], shared: [], kept: [], text: [], passages: [], lost: [], raw: {}, jaccard: [], answers: [], times: [] };
  sizes.forEach((size, group) => {
    const first = index.names.length;
    index.groups.push(group + 1);
    for (let member = 0; member < size; member += 1) {
      index.names.push(`${group}/${member}`);
      index.of.push(group);
      if (member > 0) {
        index.a.push(first + ((member * 7) % member));
        index.b.push(first + member);
        index.share.push(900000);
      }
    }
  });
  const { x, y, circles } = page.layOut(page.makeModel(index));
  circles.forEach((one, at) => {
    for (const other of circles.slice(at + 1)) {
      assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= one.r + other.r, `${one.group} and ${other.group}`);
    }
  });
  index.of.forEach((group, document) => {
    assert.ok(Math.hypot(x[document] - circles[group].x, y[document] - circles[group].y) <= circles[group].r + 1e-6);
  });
  const again = page.layOut(page.makeModel(index));
  assert.deepEqual([again.x, again.y], [x, y]);
});
