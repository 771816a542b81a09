// Main: joins the parts of the page with the elements that they are shown in.

const find = (id) => document.getElementById(id);

for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", () => find(button.dataset.opens).showModal());
}

const index = JSON.parse(find("index").textContent);
if (index.a.length > 0) start(makeModel(index));

function start(model) {
  const block = makeTexts((number) => find(`texts-${number}`).textContent);
  const store = makeStore(`dedup answers ${model.result}`);
  const answers = makeAnswers(model, store.read());
  const table = makeTable(model, find("rows"), find("table"), {
    open: (pair) => (location.hash = `pair=${pair + 1}`),
    answer: (pair, number) => say(pair, { answer: ANSWERS[number - 1] ?? "" }),
    said: answers.of,
  });
  const view = makePair(model, block, find);
  const graph = makeGraph(model, find("graph"), find("graph-tip"), (group) => chooseGroup(model.groups[group]));
  const inputs = Object.fromEntries(["search", "least", "contained", "group", "folder", "answer"].map((id) => [id, find(id)]));
  let sort = { sort: "", rising: false };
  let opened = -1;
  let scrolled = 0;

  if (model.members.some((members) => members.length > MOST_PUSHED)) {
    const large = counted(MOST_PUSHED);
    find("graph-help").append(` Of a group of more than ${large} documents, only the lines of the dot under the pointer are drawn, since all of them would be one area.`);
  }
  for (const [folder, count] of foldersOf(model)) {
    const option = make("option", "", `${shownName(folder.slice(model.root.length))} (${counted(count)})`);
    option.value = folder;
    inputs.folder.append(option);
  }

  function update() {
    const millionths = (input) => (input?.value ? Math.round(Number(input.value) * 10000) : 0);
    const query = {
      words: inputs.search.value,
      least: millionths(inputs.least),
      contained: millionths(inputs.contained),
      group: Number(inputs.group.value) || 0,
      folder: inputs.folder.value,
      answer: inputs.answer.value,
      said: answers.of,
      ...sort,
    };
    const pairs = select(model, query);
    table.show(pairs, query.words.toLowerCase().split(/\s+/).filter(Boolean));
    const all = counted(model.size, "pair");
    const shown = pairs.length === model.size ? all : `${counted(pairs.length)} of ${all}`;
    // The header of the page says the folder of all documents, unless others may be elsewhere.
    const isSaid = document.querySelector(".folder") || !model.root;
    find("count").textContent = isSaid ? shown : `${shown}, with names in ${shownName(model.root)}`;
    graph.mark(query.group ? model.groups.indexOf(query.group) : -1);
    for (const button of document.querySelectorAll("[data-sort]")) {
      const isSorted = button.dataset.sort === sort.sort;
      button.classList.toggle("sorted", isSorted);
      button.classList.toggle("rising", isSorted && sort.rising);
      const header = button.closest("[role=columnheader]");
      if (isSorted) header.setAttribute("aria-sort", sort.rising ? "ascending" : "descending");
      else if (!header.querySelector(`[data-sort="${sort.sort}"]`)) header.removeAttribute("aria-sort");
    }
  }

  function chooseGroup(number) {
    inputs.group.value = number;
    update();
    find("pairs").scrollIntoView();
    find("count").focus({ preventScroll: true });
  }

  let timer = 0;
  find("filters").addEventListener("input", () => {
    clearTimeout(timer);
    // Typing is not kept waiting by many pairs.
    timer = setTimeout(update, model.size > 20000 ? 150 : 0);
  });
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("filters").addEventListener("reset", () => setTimeout(update));
  for (const button of document.querySelectorAll("[data-sort]")) {
    button.addEventListener("click", () => {
      const by = button.dataset.sort;
      // Numbers begin with the greatest, names with the first.
      const first = by === "a" || by === "b" || by === "group";
      sort = { sort: by, rising: sort.sort === by ? !sort.rising : first };
      update();
    });
  }
  for (const button of document.querySelectorAll("[data-group]")) {
    button.addEventListener("click", () => chooseGroup(Number(button.dataset.group)));
  }
  find("zoom-in").addEventListener("click", graph.zoomIn);
  find("zoom-out").addEventListener("click", graph.zoomOut);
  find("zoom-all").addEventListener("click", graph.all);

  function facts(pair) {
    const facts = [`${percent(model.share[pair])} ${document.querySelector('[data-sort="share"]').textContent.toLowerCase()}`];
    if (model.kept.length && model.kept[pair] >= 0) facts.push(`${percent(model.kept[pair])} with names kept`);
    if (model.contained.length) {
      const [one, other] = model.contained[pair];
      facts.push(`${percent(one)} of the first is in the second, ${percent(other)} of the second in the first`);
      facts.push(`${counted(model.shared[pair], "shingle")} shared`);
    }
    const older = olderClause(model.times[model.a[pair]], model.times[model.b[pair]], model.dated);
    if (older) facts.push(older);
    facts.push(`group ${counted(model.groupOf[pair])}`);
    return facts.join(" · ");
  }

  /** Changes the answer or the note of a pair, and keeps all of them in the browser. */
  function say(pair, change) {
    answers.set(pair, change);
    keep();
    table.renew(pair);
    if (pair === opened) showSaid();
  }

  function keep() {
    const isKept = store.keep(answers.lines());
    const [said, noted] = answers.counts();
    const parts = [said > 0 || noted === 0 ? counted(said, "answer") : "", noted > 0 ? counted(noted, "note") : ""];
    const where = isKept ? "kept in this browser" : "this browser keeps none, so save them";
    find("said-count").textContent = `${parts.filter(Boolean).join(" and ")}, ${where}`;
    find("save").disabled = find("save-csv").disabled = said + noted === 0;
  }

  function showSaid() {
    const { answer, note } = answers.of(opened);
    for (const button of document.querySelectorAll("[data-answer]")) {
      button.setAttribute("aria-pressed", String(button.dataset.answer === answer));
    }
    if (find("note").value !== note) find("note").value = note;
  }

  /** Saves a text as a file. */
  function save(text, type, name) {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async function readAnswers(file) {
    const known = answers.add(await file.text());
    if (known !== null) {
      keep();
      update();
    }
    find("said-count").textContent =
      known === null ? `${shownName(file.name)} is no file of answers` : `${counted(known, "line")} about these pairs read`;
  }

  for (const button of document.querySelectorAll("[data-answer]")) {
    button.addEventListener("click", () => {
      const isOn = button.getAttribute("aria-pressed") === "true";
      say(opened, { answer: isOn ? "" : button.dataset.answer });
    });
  }
  find("note").addEventListener("input", () => say(opened, { note: find("note").value }));
  find("save").addEventListener("click", () => save(answers.lines(), "application/jsonl", "answers.jsonl"));
  find("save-csv").addEventListener("click", () => save(answers.csv(), "text/csv", "answers.csv"));
  find("read").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) readAnswers(file);
    event.target.value = "";
  });

  async function openPair(pair) {
    if (opened < 0) scrolled = scrollY;
    opened = pair;
    find("page").hidden = true;
    find("pair").hidden = false;
    const [place, all] = table.place(pair);
    find("pair-title").textContent = place > 0 ? `Pair ${counted(place)} of ${counted(all)}` : `Pair ${counted(pair + 1)}`;
    find("facts").textContent = facts(pair);
    showSaid();
    find("pair-before").disabled = table.near(pair, -1) === undefined;
    find("pair-next").disabled = table.near(pair, 1) === undefined;
    await view.show(pair);
    find("pair-title").focus({ preventScroll: true });
  }

  function closePair() {
    if (opened < 0) return;
    const pair = opened;
    opened = -1;
    find("pair").hidden = true;
    find("page").hidden = false;
    scrollTo({ top: scrolled, behavior: "instant" });
    table.draw();
    table.focus(pair);
  }

  function route() {
    const pair = Number(/^#pair=(\d+)$/.exec(location.hash)?.[1]) - 1;
    if (pair >= 0 && pair < model.size) openPair(pair);
    else closePair();
  }

  function step(to) {
    const pair = table.near(opened, to);
    if (pair !== undefined) location.replace(`#pair=${pair + 1}`);
  }

  const close = () => (location.hash = "pairs");
  find("close").addEventListener("click", close);
  find("passage-next").addEventListener("click", view.next);
  find("passage-before").addEventListener("click", view.before);
  find("pair-next").addEventListener("click", () => step(1));
  find("pair-before").addEventListener("click", () => step(-1));
  addEventListener("hashchange", route);
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || find("keys").open) return;
    if (event.target.closest?.("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const inPair = { n: view.next, p: view.before, "]": () => step(1), "[": () => step(-1), s: () => find("together").click(), Escape: close };
    const number = /^[0-3]$/.test(event.key) ? Number(event.key) : -1;
    if (opened >= 0 && number >= 0) inPair[event.key] = () => say(opened, { answer: ANSWERS[number - 1] ?? "" });
    const inPage = { "/": () => inputs.search.focus() };
    const key = (opened >= 0 ? inPair : inPage)[event.key] ?? { "?": () => find("keys").showModal() }[event.key];
    if (!key) return;
    event.preventDefault();
    key();
  });

  keep();
  update();
  if (model.opens && !location.hash) location.replace("#pair=1");
  route();
}
