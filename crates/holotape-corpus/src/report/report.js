"use strict";
(() => {
  const STEP = 100;
  const data = JSON.parse(document.getElementById("data").textContent);
  const container = document.getElementById("recordings");

  const element = (name, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(name), properties);
    node.append(...children);
    return node;
  };

  const fixed = (digits, unit = "") => (value) => (value === null ? "–" : value.toFixed(digits) + unit);
  const columns = [
    { title: "Recording", of: (row) => row[0], make: recordingCell, className: "recording" },
    { title: "Duration", of: (row) => row[2], show: fixed(1, " s") },
    { title: "Left tracked", of: (row) => row[3], show: fixed(0, " %") },
    { title: "Right tracked", of: (row) => row[4], show: fixed(0, " %") },
    { title: "Pinches", of: (row) => row[5], show: fixed(0) },
    { title: "Left speed", of: (row) => row[6], show: fixed(2, " m/s") },
    { title: "Right speed", of: (row) => row[7], show: fixed(2, " m/s") },
    { title: "Findings", of: (row) => row[8], show: fixed(0) },
    { title: "Error", of: (row) => row[9] ?? "", make: errorCell, className: "message" },
  ];
  const filters = {
    all: ["All recordings", () => true],
    outliers: ["Outliers", (row) => row[10] === 1],
    findings: ["With findings", (row) => row[8] > 0],
    broken: ["Broken", (row) => row[9] !== null],
    readable: ["Not broken", (row) => row[9] === null],
  };

  const state = { column: 0, down: false, shown: STEP };
  const search = element("input", { type: "search", placeholder: "Filter by name or error" });
  search.setAttribute("aria-label", "Filter by name or error");
  const filter = element("select", {}, ...Object.entries(filters).map(([value, [title]]) => element("option", { value }, title)));
  filter.setAttribute("aria-label", "Filter recordings");
  const status = element("span", { className: "count" });
  status.setAttribute("role", "status");
  const body = element("tbody");
  const more = element("button", { type: "button" });
  const heads = columns.map(({ title, className }, index) => {
    const head = element("th", { className: className ?? "number" }, element("button", { type: "button" }, title));
    head.addEventListener("click", () => {
      state.down = state.column === index ? !state.down : index > 0;
      state.column = index;
      draw();
    });
    return head;
  });
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
  container.append(
    element("div", { className: "filters" }, search, filter, status),
    element("div", { className: "wide" }, table),
    element("div", { className: "more" }, more),
  );

  function pathOf(row) {
    return row[1] ?? data.root + row[0];
  }

  function recordingCell(row) {
    if (row[9] !== null) {
      return [row[0]];
    }
    if (data.links) {
      return [element("a", { href: `/?recording=${encodeURIComponent(row[0])}`, target: "_blank" }, row[0])];
    }
    const button = element("button", { type: "button" }, "Copy command");
    button.dataset.view = pathOf(row);
    return [`${row[0]} `, button];
  }

  function errorCell(row) {
    return row[9] === null ? [] : [element("span", { className: "bad" }, row[9])];
  }

  function draw() {
    const text = search.value.trim().toLowerCase();
    const [, matches] = filters[filter.value];
    const contains = (cell) => cell !== null && cell.toLowerCase().includes(text);
    const { of } = columns[state.column];
    const rows = data.recordings.filter((row) => matches(row) && (text === "" || contains(row[0]) || contains(row[9])));
    // Missing values come last in either direction.
    const order = (a, b) => (a === b ? 0 : a === null || a === "" ? 2 : b === null || b === "" ? -2 : a < b ? -1 : 1);
    rows.sort((a, b) => {
      const by = order(of(a), of(b));
      return Math.abs(by) === 2 || !state.down ? by : -by;
    });
    heads.forEach((head, index) => {
      const direction = state.down ? "descending" : "ascending";
      const arrow = state.down ? " ↓" : " ↑";
      head.firstChild.textContent = columns[index].title + (index === state.column ? arrow : "");
      head.setAttribute("aria-sort", index === state.column ? direction : "none");
    });
    const cells = (row) =>
      columns.map(({ of, show, make, className }) =>
        element("td", { className: className ?? "number" }, ...(make ? make(row) : [show(of(row))])),
      );
    body.replaceChildren(...rows.slice(0, state.shown).map((row) => element("tr", {}, ...cells(row))));
    const count = (number) => number.toLocaleString("en");
    status.textContent = `${count(rows.length)} of ${count(data.recordings.length)} recordings`;
    const rest = rows.length - state.shown;
    more.hidden = rest <= 0;
    more.textContent = `Show ${count(Math.min(rest, 5 * STEP))} more of ${count(rest)}`;
  }

  const redraw = () => {
    state.shown = STEP;
    draw();
  };
  search.addEventListener("input", redraw);
  filter.addEventListener("change", redraw);
  more.addEventListener("click", () => {
    state.shown += 5 * STEP;
    draw();
  });

  // Quotes a path for a shell: with single quotes, except for Windows paths, because its older shell supports only double
  // quotes. These are used unless the path has characters that are special in them; then, only PowerShell understands the path.
  // PowerShell treats typographic quotes like the plain ones.
  const shellQuote = (path) => {
    if (/^[\w./+-]+$/.test(path)) {
      return path;
    }
    if (!/^[A-Za-z]:\\|^\\\\/.test(path)) {
      return `'${path.replaceAll("'", "'\\''")}'`;
    }
    if (/^[\w.+:\\-]+$/.test(path)) {
      return path;
    }
    return /["“”„$`%]/.test(path) ? `'${path.replaceAll(/['‘’‚‛]/g, "$&$&")}'` : `"${path}"`;
  };

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = element("textarea", { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const { view, repair, folder } = button?.dataset ?? {};
    if (folder !== undefined) {
      search.value = folder === "(no folder)" ? "" : `${folder}/`;
      redraw();
      container.scrollIntoView();
    }
    const path = view ?? repair;
    if (path === undefined) {
      return;
    }
    const command = view === undefined ? `holotape repair ${shellQuote(path)} repaired.bin` : `holotape view ${shellQuote(path)}`;
    copy(command).then(() => {
      const { textContent } = button;
      button.textContent = "Copied";
      button.title = command;
      setTimeout(() => {
        button.textContent = textContent;
      }, 1500);
    });
  });

  draw();
})();
