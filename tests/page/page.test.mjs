// Whole pages in a browser: sorting, searching, filters, a pair, keys, dark mode, phone, print, hostile texts, and whether everybody can
// use them. The folder of the pages, the browser and axe-core come from `main.rs`.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { launch } from "./browser.mjs";

const { DEDUP_PAGES: folder, DEDUP_BROWSER: program, DEDUP_AXE: axe } = process.env;
let browser;

before(async () => (browser = await launch(program)));
after(() => browser.close());

const url = (name, hash = "") => pathToFileURL(join(folder, name)).href + hash;

/** A test of a page, which may neither complain nor load anything. */
function pageTest(claim, name, settings, use) {
  test(claim, async () => {
    const page = await browser.open(url(name, settings.hash), settings);
    await use(page);
    assert.deepEqual(page.messages, []);
    await page.close();
  });
}

/** The rows that are there, as text by line. */
const rows = `[...document.querySelectorAll("#rows [role=row]")].map((row) =>
  [...row.querySelectorAll(".share, .kept, .one, .shared, .of")].map((cell) => cell.textContent))`;
const count = `document.getElementById("count").textContent`;
const pairIsOpen = `!document.getElementById("pair").hidden && document.querySelectorAll("#text-b .line").length > 0`;

/** What axe-core finds wrong with the page as it is. */
async function violations(page) {
  await page.value(`${readFileSync(axe, "utf8")}; 0`);
  return page.value(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)]))`);
}

pageTest("the overview has the numbers, the bars and the curve", "plain.html", {}, async (page) => {
  const numbers = await page.value(`Object.fromEntries([...document.querySelectorAll(".numbers div")].map((div) =>
    [div.querySelector("dt").textContent, div.querySelector("dd").textContent]))`);
  assert.equal(numbers.compared, "1,200");
  assert.equal(numbers.pairs, "600");
  assert.equal(numbers.groups, "600");
  const shown = await page.value(`[...document.querySelectorAll("rect.bar title")].map((title) => title.textContent)`);
  const counts = shown.map((label) => Number(/: ([\d,]+) pairs?$/.exec(label)[1].replace(",", "")));
  assert.equal(counts.reduce((sum, number) => sum + number, 0), 600);
  assert.equal(counts[counts.length - 1], 150);
  assert.match(await page.value(`document.querySelector("#overview").textContent`), /threshold of 80 % is found with a chance of 99\.9 %/);
  assert.ok((await page.value(`document.querySelectorAll("circle.found").length`)) > 1);
});

pageTest("a click on a head sorts, and another one turns the order", "plain.html", {}, async (page) => {
  assert.equal((await page.value(rows))[0][0], "100 %");
  await page.click("[data-sort=share]");
  await page.click("[data-sort=share]");
  const least = (await page.value(rows))[0][0];
  assert.ok(parseFloat(least) < 100, least);
  assert.equal(await page.value(`document.querySelector(".head .share").getAttribute("aria-sort")`), "ascending");
  await page.click("[data-sort=b]");
  assert.match((await page.value(rows))[0][2], /^chapter-0\/part-0\/000-second\.txt$/);
  assert.equal(await page.value(`document.querySelector(".head .share").getAttribute("aria-sort")`), null);
});

pageTest("searching and filters leave what fits, and clearing brings all back", "plain.html", {}, async (page) => {
  await page.fill("#search", "CHAPTER-3 17");
  const names = (await page.value(rows)).map((row) => row[1]);
  assert.ok(names.length > 1 && names.every((name) => name.includes("chapter-3") && name.includes("17")), names.join());
  await page.fill("#search", "");
  await page.fill("#least", "100");
  assert.equal(await page.value(count), "150 of 600 pairs");
  await page.fill("#least", "");
  await page.fill("#contained", "100");
  const contained = await page.value(count);
  assert.ok(parseInt(contained) >= 150 && parseInt(contained) < 600, contained);
  await page.fill("#contained", "");
  const folder = await page.value(`[...document.getElementById("folder").options].find((option) => option.text.startsWith("chapter-2/ ")).value`);
  await page.fill("#folder", folder);
  assert.match(await page.value(count), /^8[56] of 600 pairs$/);
  await page.fill("#group", "7");
  assert.match(await page.value(count), /^[01] of 600 pairs$/);
  await page.click("#reset");
  await page.until(`${count} === "600 pairs"`);
  await page.fill("#search", "no such name");
  assert.match(await page.value(`document.getElementById("rows").textContent`), /No pair is left/);
});

pageTest("only rows that are seen are there, and scrolling brings the others", "plain.html", {}, async (page) => {
  assert.ok((await page.value(`${rows}.length`)) < 60);
  await page.value(`document.getElementById("rows").scrollTop = 1e6, 0`);
  await page.until(`${rows}.some((row) => row) && document.querySelector('[aria-rowindex="601"]')`);
  assert.ok((await page.value(`${rows}.length`)) < 60);
});

pageTest("keys go through the rows, open a pair and lead back to its row", "plain.html", {}, async (page) => {
  await page.value(`document.querySelector("#rows [role=row]").focus(), 0`);
  for (const key of ["ArrowDown", "ArrowDown", "End", "ArrowUp", "Home", "ArrowDown"]) await page.key(key);
  assert.equal(await page.value(`document.activeElement.getAttribute("aria-rowindex")`), "3");
  await page.key("Enter");
  await page.until(pairIsOpen);
  assert.equal(await page.value(`document.activeElement.id`), "pair-title");
  assert.match(await page.value(`document.getElementById("pair-title").textContent`), /^Pair 2 of 600$/);
  await page.key("]");
  await page.until(`document.getElementById("pair-title").textContent.startsWith("Pair 3 ")`);
  await page.key("[");
  await page.until(`document.getElementById("pair-title").textContent.startsWith("Pair 2 ")`);
  await page.key("Escape");
  await page.until(`!document.getElementById("page").hidden`);
  assert.equal(await page.value(`document.activeElement.getAttribute("aria-rowindex")`), "3");
  await page.key("/");
  assert.equal(await page.value(`document.activeElement.id`), "search");
  await page.key("Escape");
  await page.key("?");
  assert.ok(await page.value(`document.getElementById("keys").open`));
});

pageTest("a pair has both texts whole, with the same passages on both sides", "plain.html", { hash: "#pair=400" }, async (page) => {
  await page.until(pairIsOpen);
  const text = (side) => `[...document.querySelectorAll("#text-${side} .line > span")].map((line) => {
    const copy = line.cloneNode(true);
    copy.querySelectorAll(".badge").forEach((badge) => badge.remove());
    return copy.textContent.replace("\\u200b", "");
  }).join("\\n") + "\\n"`;
  for (const side of ["a", "b"]) {
    const name = await page.value(`document.getElementById("name-${side}").textContent`);
    assert.equal(await page.value(text(side)), readFileSync(join(folder, name), "utf8"));
  }
  const marked = (side, passage) => `[...document.querySelectorAll('#text-${side} mark[data-p="${passage}"]')].map((mark) => mark.textContent).join(" ")`;
  assert.equal(await page.value(marked("a", 0)), await page.value(marked("b", 0)));
  assert.ok((await page.value(marked("a", 0))).length > 100);
  assert.equal(await page.value(`document.querySelectorAll("#text-a .badge").length`), await page.value(`document.querySelectorAll("#text-b .badge").length`));
});

pageTest("passages follow by key, and both texts scroll together", "long.html", { hash: "#pair=1" }, async (page) => {
  await page.until(pairIsOpen);
  const status = `document.getElementById("passage-number").textContent`;
  assert.match(await page.value(status), /^\d+ passages?$/);
  await page.key("n");
  assert.match(await page.value(status), /^1 of \d+$/);
  await page.key("p");
  const [last, all] = /^(\d+) of (\d+)$/.exec(await page.value(status)).slice(1);
  assert.equal(last, all);
  const tops = await page.value(`["a", "b"].map((side) => {
    const pane = document.getElementById("text-" + side).getBoundingClientRect();
    return document.querySelector("#text-" + side + " mark.now").getBoundingClientRect().top - pane.top;
  })`);
  assert.ok(tops.every((top) => top > 0 && top < 800), tops.join());
  const places = `["a", "b"].map((side) => document.getElementById("text-" + side).scrollTop)`;
  const scroll = async (to) => {
    await page.value(`(() => {
      const pane = document.getElementById("text-a");
      pane.dispatchEvent(new Event("wheel"));
      pane.scrollTop = ${to};
    })()`);
    await page.value(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
    return page.value(places);
  };
  const [before] = [await scroll(2000)];
  const behind = await scroll(6000);
  assert.ok(before[1] > 500 && behind[1] > before[1] + 1000, `${before} ${behind}`);
  await page.key("s");
  assert.equal(await page.value(`document.getElementById("together").getAttribute("aria-pressed")`), "false");
  assert.equal((await scroll(1000))[1], behind[1]);
});

for (const width of [1280, 760, 390]) {
  pageTest(`names show where they differ, and programs how similar they are with names kept, at ${width}`, "programs.html", { width }, async (page) => {
    const shown = await page.value(rows);
    assert.deepEqual(shown.map((row) => row[1]), ["100 %", "9.8 %", "9.8 %"]);
    const name = (who) => `${who}/a-long/folder/of-some/depth/python/solution.py`;
    assert.deepEqual(shown[0].slice(2, 4), ["alice", "carol"].map(name));
    const members = `[...document.querySelectorAll(".groups li")].map((name) => name.textContent)`;
    assert.deepEqual(await page.value(members), ["alice", "carol", "bob"].map(name));
    // All of the part that differs is seen, at the beginning or elsewhere.
    const cut = `[...document.querySelectorAll("#rows .name > span:not(.same), .groups .name > span:not(.same)")]
      .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent)`;
    assert.deepEqual(await page.value(cut), []);
    assert.ok(await page.value(`document.documentElement.scrollWidth <= innerWidth`), "it is no wider than the screen");
    await page.click("[data-sort=kept]");
    await page.click("[data-sort=kept]");
    assert.equal((await page.value(rows))[0][1], "9.8 %");
  });
}

pageTest("hostile names and texts stay text", "hostile.html", {}, async (page) => {
  const html = readFileSync(join(folder, "hostile.html"), "utf8");
  assert.ok(!/[\u202e\u001b\u0000]/.test(html));
  assert.equal(await page.value(`document.title`), "Near-duplicates");
  const seen = (await page.value(rows)).flat().join("\n");
  assert.ok(seen.includes("</script><script>alert(1)<!--.txt") && seen.includes("\\u{202e}txt.exe"), seen);
  assert.ok(seen.includes("{{ o.title }}{% for %}.txt") && seen.includes("\\u{001b}[31m"), seen);
  await page.value(`location.hash = "pair=1", 0`);
  await page.until(pairIsOpen);
  const text = await page.value(`document.getElementById("text-a").innerText`);
  for (const part of ["</script><script>document.title = 'broken'</script>", "<img src=x onerror=", "&lt;", "{{ 7 * 7 }}", "U+202E", "U+001B", "שלום", "👩‍👩‍👧"]) {
    assert.ok(text.includes(part), part);
  }
  assert.equal(await page.value(`document.title`), "Near-duplicates");
  assert.equal(await page.value(`document.querySelectorAll("#text-a img, #text-a script, #rows img").length`), 0);
});

test("the policy of the page runs no other script, style or handler", async () => {
  const page = await browser.open(url("plain.html"));
  await page.value(`(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'foreign'";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=\\"document.title='foreign'\\"><b id=styled style=\\"color: red\\">b</b>");
  })()`);
  await page.value("new Promise((resolve) => setTimeout(resolve, 200))");
  assert.equal(await page.value(`document.title`), "Near-duplicates");
  assert.notEqual(await page.value(`getComputedStyle(document.getElementById("styled")).color`), "rgb(255, 0, 0)");
  assert.ok(page.messages.some((message) => /Content Security Policy/.test(message)));
  await page.close();
});

pageTest("answers are kept by the browser, shown and saved as a file", "answers.html", {}, async (page) => {
  const state = `document.getElementById("said-count").textContent`;
  const pressed = `[...document.querySelectorAll("[data-answer][aria-pressed=true]")].map((button) => button.textContent).join()`;
  assert.equal(await page.value(state), "0 answers, kept in this browser");
  assert.ok(await page.value(`document.getElementById("save").disabled && document.getElementById("save-csv").disabled`));
  await page.value(`document.querySelector("#rows [role=row]").focus(), 0`);
  await page.key("1");
  assert.equal(await page.value(`document.activeElement.querySelector(".said").textContent`), "yes");
  await page.key("ArrowDown");
  await page.key("Enter");
  await page.until(pairIsOpen);
  await page.key("2");
  assert.equal(await page.value(pressed), "No");
  await page.fill("#note", 'an "own" work, </script> \u202e');
  await page.key("]");
  await page.until(`document.getElementById("pair-title").textContent.startsWith("Pair 3 ")`);
  assert.deepEqual([await page.value(pressed), await page.value(`document.getElementById("note").value`)], ["", ""]);
  await page.click("[data-answer=yes]");
  await page.click("[data-answer=yes]");
  assert.equal(await page.value(pressed), "");
  await page.fill("#note", "ask them");
  assert.deepEqual(await violations(page), []);
  await page.key("Escape");
  await page.until(`!document.getElementById("page").hidden`);
  assert.equal(await page.value(state), "2 answers and 1 note, kept in this browser");
  await page.fill("#answer", "no");
  assert.equal(await page.value(count), "1 of 3 pairs");
  await page.fill("#answer", "");
  // A page that is opened again has them.
  await page.call("Page.reload", {});
  await page.until(`document.getElementById("said-count")?.textContent.startsWith("2 answers and 1 note")`);
  const said = `[...document.querySelectorAll("#rows .said")].map((cell) => cell.textContent)`;
  assert.deepEqual((await page.value(said)).map((text) => text.replace(/[\s\u202e]+/g, " ")), ["yes", 'no ✎ an "own" work, </script> ', "✎ ask them"]);
  await page.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await page.click("#save");
  const file = join(folder, "answers.jsonl");
  for (let round = 0; !existsSync(file) && round < 200; round += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ answer, note }) => [answer, note]), [["yes", undefined], ["no", 'an "own" work, </script> \u202e'], ["undone", "ask them"]]);
  assert.ok(!readFileSync(file, "utf8").includes("\u202e"));
  await page.click("#save-csv");
  const table = join(folder, "answers.csv");
  for (let round = 0; !existsSync(table) && round < 200; round += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.match(readFileSync(table, "utf8"), /^a,b,jaccard,answer,note\n.*,yes,\n.*,no,"an ""own"" work, <\/script> \u202e"\n.*,,ask them\n$/);
});

pageTest("a page that was given answers shows them", "answered.html", {}, async (page) => {
  const said = `[...document.querySelectorAll("#rows .said")].map((cell) => cell.textContent)`;
  assert.deepEqual(await page.value(said), ["yes", "skip ✎ a </script> note"]);
  assert.equal(await page.value(`document.title`), "Winter <b>term</b> & co.");
  assert.match(await page.value(`document.querySelector("footer").textContent`), / on \d+ [A-Z][a-z]+ \d{4}\. /);
  assert.match(await page.value(`document.querySelector(".method").textContent`), /dedup scan answers/);
});

pageTest("the graph can be zoomed and moved, and a click on a group lists its pairs", "plain.html", {}, async (page) => {
  await page.value(`document.getElementById("graph").scrollIntoView({ block: "center", behavior: "instant" }), 0`);
  const picture = `document.getElementById("graph").toDataURL()`;
  const frame = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;
  await page.until(`document.getElementById("graph").width > 300`);
  await page.value(frame);
  const pictures = [await page.value(picture)];
  for (const act of [() => page.click("#zoom-in"), () => page.value(`document.getElementById("graph").focus(), 0`).then(() => page.key("ArrowRight")), () => page.key("+")]) {
    await act();
    await page.value(frame);
    pictures.push(await page.value(picture));
  }
  assert.equal(new Set(pictures).size, 4);
  await page.key("0");
  await page.value(frame);
  // The first group is in the middle.
  for (let step = 0; step < 12; step += 1) await page.click("#zoom-in");
  const middle = await page.value(`(() => { const box = document.getElementById("graph").getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()`);
  const mouse = { x: middle[0], y: middle[1], button: "left", clickCount: 1 };
  await page.call("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse });
  await page.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse });
  await page.until(`${count} === "1 of 600 pairs"`);
});

pageTest("the dots of a large group have names, and only the lines of the one under the pointer", "crowd.html", {}, async (page) => {
  await page.value(`document.getElementById("graph").scrollIntoView({ block: "center", behavior: "instant" }), 0`);
  await page.until(`document.getElementById("graph").width > 300`);
  const frame = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;
  await page.value(frame);
  assert.match(await page.value(`document.getElementById("graph-help").textContent`), /more than 120 documents, only the lines of the dot/);
  const middle = await page.value(`(() => { const box = document.getElementById("graph").getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()`);
  // Dots are apart, so that there is paper between them.
  const paper = await page.value(`(() => {
    const canvas = document.getElementById("graph");
    const size = 100;
    const { data } = canvas.getContext("2d").getImageData(canvas.width / 2 - 50, canvas.height / 2 - 50, size, size);
    const colours = new Map();
    for (let at = 0; at < data.length; at += 4) colours.set(data.slice(at, at + 3).join(), (colours.get(data.slice(at, at + 3).join()) ?? 0) + 1);
    return Math.max(...colours.values()) / (size * size);
  })()`);
  assert.ok(paper > 0.3, String(paper));
  await page.call("Input.dispatchMouseEvent", { type: "mouseMoved", x: middle[0], y: middle[1] });
  await page.until(`/^copy-\\d+: [\\d,]+ pairs?, group 1$/.test(document.getElementById("graph-tip").textContent)`);
  for (let step = 0; step < 8; step += 1) await page.click("#zoom-in");
  await page.value(frame);
  assert.deepEqual(await violations(page), []);
});

pageTest("texts without room are said to be left out", "full.html", {}, async (page) => {
  assert.match(await page.value(`document.getElementById("overview").textContent`), /--max-pairs shows more.*--max-bytes makes room/s);
  assert.equal(await page.value(count), "500 pairs, with names in plain/");
  await page.value(`location.hash = "pair=500", 0`);
  await page.until(`document.getElementById("text-a").textContent.includes("--max-bytes")`);
});

pageTest("groups show how their members are joined, with texts", "groups.html", {}, async (page) => {
  assert.equal(await page.value(`document.querySelector("h1").textContent`), "Groups of near-duplicates");
  assert.equal(await page.value(count), "600 pairs");
  await page.value(`location.hash = "pair=3", 0`);
  await page.until(pairIsOpen);
  assert.ok((await page.value(`document.querySelectorAll("#text-a mark").length`)) > 0);
});

pageTest("a page without pairs says so", "empty.html", {}, async (page) => {
  assert.match(await page.value(`document.body.textContent`), /Nothing was found/);
});

for (const dark of [false, true]) {
  for (const [what, size] of [["a screen", {}], ["a phone", { width: 390, height: 844, phone: true }]]) {
    const claim = `everybody can use the page on ${what}${dark ? " in the dark" : ""}`;
    pageTest(claim, "hostile.html", { dark, ...size }, async (page) => {
      assert.deepEqual(await violations(page), []);
      assert.ok(await page.value(`document.documentElement.scrollWidth <= innerWidth`), "it is no wider than the screen");
      await page.value(`location.hash = "pair=1", 0`);
      await page.until(pairIsOpen);
      await page.key("n");
      assert.deepEqual(await violations(page), []);
      assert.ok(await page.value(`document.documentElement.scrollWidth <= innerWidth`), "a pair is no wider than the screen");
      await page.key("?");
      assert.deepEqual(await violations(page), []);
    });
  }
}

pageTest("the dark page is dark, and paper is light", "plain.html", { dark: true }, async (page) => {
  const light = `(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number); return r + g + b; })()`;
  assert.ok((await page.value(light)) < 150);
  await page.call("Emulation.setEmulatedMedia", { media: "print", features: [{ name: "prefers-color-scheme", value: "dark" }] });
  assert.ok((await page.value(light)) > 700);
});

pageTest("print has the rows that were not seen, and both texts of a pair", "plain.html", {}, async (page) => {
  // In one step, since a redraw of the screen may come between two.
  assert.equal(await page.value(`dispatchEvent(new Event("beforeprint")), document.querySelectorAll("#rows [role=row]").length`), 600);
  await page.value(`dispatchEvent(new Event("afterprint")), 0`);
  assert.ok((await page.value(`document.querySelectorAll("#rows [role=row]").length`)) < 60);
  assert.equal((await page.print()).subarray(0, 4).toString(), "%PDF");
});
