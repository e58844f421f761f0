// Moving in: a file of another bot is looked at, brought in when it is right, and taken back if it was not.

import { make, nameTag } from "../dom.js";
import { parts, word } from "../words.js";
import { askFirst } from "./asking.js";
import { box, button, chooser, field } from "./controls.js";
import { attempt, tell, text, worded } from "./telling.js";
import { moment, number, signed } from "./times.js";

const LARGEST = 10 * 2 ** 20; // bytes
const PAUSE = 400; // milliseconds between two questions how far it is
const MOST_FAULTS = 20;
const PLATFORMS = ["twitch", "discord"];
/** Fields that few files need: their names in the request, and what they offer. */
const LINES = ["name_column", "id_column", "credits_column", "watched_column", "table", "encoding"];
const CHOICES = {
  watched_unit: ["", "minutes", "hours", "seconds"],
  thousands: ["", ".", ",", " ", "'"],
  decimal: ["", ".", ","],
  same: ["fault", "add", "most", "first"],
  negative: ["fault", "zero"],
};

/** Make the section of imports. */
export function importsSection(desk) {
  const { api } = desk;
  const file = make("input", { type: "file", id: "import-file", className: "field" });
  const platform = chooser("desk-import-platform", PLATFORMS.map((each) => [each, word(`desk-platform-${each}`)]));
  const mode = chooser("desk-import-mode", ["add", "set"].map((each) => [each, word(`desk-import-${each}`)]));
  const again = box("again", word("desk-import-again"));
  const lines = LINES.map((each) => ({ name: each, ...field(`desk-import-${each}`, { maxLength: 100 }) }));
  const choices = Object.entries(CHOICES).map(([name, values]) => ({
    name,
    ...chooser(`desk-import-${name}`, values.map((each) => [each, titleOf(name, each)])),
  }));
  const place = make("div", { className: "desk-stack", data: { testid: "import-report" } });
  const list = make("div", { className: "desk-stack", data: { testid: "imports" } });
  const drop = make(
    "label",
    { className: "desk-drop", htmlFor: "import-file" },
    text("strong", "desk-import-drop"),
    text("span", "desk-import-kinds", { className: "desk-soft" }),
    file,
  );
  const more = make(
      "details",
      {},
      text("summary", "desk-import-more"),
      text("p", "desk-import-more-hint", { className: "desk-soft" }),
      make("div", { className: "desk-fields" }, ...lines.map((each) => each.node), ...choices.map((each) => each.node)),
      again.node,
    );
  const form = make(
    "form",
    { className: "desk-card", autocomplete: "off" },
    drop,
    make("div", { className: "desk-fields" }, platform.node, mode.node),
    more,
    make(
      "div",
      { className: "desk-row" },
      make("button", { type: "submit", className: "button brand-button", textContent: word("desk-import-look") }),
    ),
  );
  let open = true;
  let seen = null; // what was looked at last: that is brought in, whatever the form says by then
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer?.files.length) {
      file.files = event.dataTransfer.files;
      look();
    }
  });
  load();
  resume();
  return {
    node: make(
      "div",
      { className: "desk-section" },
      text("h2", "desk-section-imports"),
      text("p", "desk-import-hint", { className: "desk-soft" }),
      form,
      place,
      text("h3", "desk-import-list"),
      list,
    ),
  };

  async function request(act) {
    const chosen = file.files?.[0];
    if (!chosen) return tell(word("desk-import-none"), "refused");
    if (chosen.size > LARGEST) return tell(word("desk-import-large"), "refused");
    const said = [...lines.map(({ name, value }) => [name, value()]), ...choices.map(({ name, select }) => [name, select.value])];
    return {
      act,
      file: chosen.name,
      content: await inBase64(chosen),
      platform: platform.select.value,
      mode: mode.select.value,
      again: again.input.checked,
      ...Object.fromEntries(said.filter(([, value]) => value)),
    };
  }

  async function look() {
    const wanted = await request("look");
    if (!wanted || !(await begin(() => api.beginImport(wanted)))) return;
    seen = wanted;
    await follow();
  }

  async function bring(wanted, besides) {
    const asked = { ...wanted, ...besides, act: "bring", again: again.input.checked };
    if (await begin(() => api.beginImport(asked))) await follow();
  }

  async function begin(work) {
    open = true;
    return (await attempt(work)) !== null;
  }

  /** Show how far the job is until it has ended, then what came of it. */
  async function follow() {
    while (open) {
      const job = await attempt(api.importJob);
      if (job === null) return;
      if (job.state !== "running") {
        show(job);
        if (job.act !== "look") await load();
        return;
      }
      place.replaceChildren(
        make("p", { className: "desk-card", role: "status", textContent: worded("desk-import-running", { NAME: job.file, COUNT: number(job.rows) }) }),
      );
      await new Promise((done) => setTimeout(done, PAUSE));
      if (!place.isConnected) return;
    }
  }

  async function resume() {
    const job = await attempt(api.importJob);
    if (job?.state === "running") await follow();
  }

  function show(job) {
    if (job.state === "failed") {
      more.open = true; // where its sentence says what to choose
      place.replaceChildren(make("p", { className: "desk-wrong", role: "alert", dir: "auto" }, ...parts(job.error)));
      return;
    }
    if (job.undone) {
      place.replaceChildren(undoneCard(job.undone));
      return;
    }
    if (job.report) place.replaceChildren(reportCard(job.report));
  }

  function reportCard(report) {
    const wanted = seen;
    const skip = box("skip", worded("desk-import-skip", { COUNT: number(report.left_out) }));
    const go = button("desk-import-bring", "brand-button", () => {
      if (!wanted) return tell(word("desk-import-none"), "refused");
      if (report.left_out && !skip.input.checked) return tell(word("desk-import-skip-first"), "refused");
      const sums = { COUNT: number(report.increase), WALLETS: number(report.wallets) };
      return askFirst(
        { title: worded("desk-import-title", sums), body: [text("p", "desk-import-title-hint")], go: word("desk-import-bring") },
        async () => {
          bring(wanted, { skip_bad: skip.input.checked });
          return undefined;
        },
      );
    });
    const after = report.done ? [] : [make("div", { className: "desk-stack" }, ...(report.left_out ? [skip.node] : []), make("div", { className: "desk-row" }, go))];
    return make(
      "section",
      { className: "desk-card", data: { done: String(report.done) } },
      make("h3", { textContent: worded(report.done ? "desk-import-done" : "desk-import-would", { COUNT: number(report.increase), WALLETS: number(report.wallets) }) }),
      make("p", { className: "desk-soft", dir: "auto", textContent: `${report.file}: ${report.kind}` }),
      ...(report.decrease ? [line("desk-import-less", { COUNT: number(report.decrease) })] : []),
      ...(report.minutes ? [line("desk-import-minutes", { COUNT: number(report.minutes) })] : []),
      ...report.notices.map((each) => make("p", { dir: "auto" }, ...parts(each))),
      rowsTable(report),
      ...(report.waiting ? [line("desk-import-waiting", { COUNT: number(report.waiting) }), names(report.unknown)] : []),
      ...faults(report),
      ...after,
    );
  }

  async function load() {
    const rows = await attempt(api.imports);
    if (rows === null) return;
    list.replaceChildren(
      rows.length
        ? make("ul", { className: "desk-list-of" }, ...rows.map(row))
        : text("p", "desk-import-never", { className: "desk-soft" }),
    );
  }

  function row(run) {
    const take = button("desk-import-undo", "danger", () => askToUndo(run));
    take.setAttribute("aria-label", `${take.textContent}: ${run.file}`);
    return make(
      "li",
      { className: "desk-item", data: { run: run.id } },
      make(
        "div",
        { className: "desk-grow" },
        make("strong", { dir: "auto", textContent: run.file }),
        make(
          "p",
          { className: "desk-soft" },
          `${worded("desk-import-rows", { COUNT: number(run.rows) })} · ${word(`desk-import-state-${run.state}`)} · `,
          moment(run.at),
        ),
      ),
      ...(run.state === "undone" ? [] : [take]),
    );
  }

  function askToUndo(run) {
    const some = field("desk-import-lines", { maxLength: 200, placeholder: "12, 40" });
    askFirst(
      {
        title: worded("desk-import-undo-title", { NAME: run.file }),
        body: [text("p", "desk-import-undo-hint"), some.node],
        go: word("desk-import-undo"),
        danger: true,
      },
      async () => {
        const written = some.value();
        if (written && !/^\d{1,9}(\s*,\s*\d{1,9})*$/.test(written)) return word("desk-import-lines-wrong");
        const of = written ? written.split(",").map(Number) : null;
        if (!(await begin(() => api.undoImport(run.id, of)))) return word("desk-lost");
        follow();
        return undefined;
      },
    );
  }
}

function titleOf(name, value) {
  if (value === "") return word("desk-import-by-file");
  return /^[a-z]/.test(value) ? word(`desk-import-${name}-${value}`) : value === " " ? word("desk-import-space") : value;
}

const line = (id, given) => make("p", { textContent: worded(id, given) });
const names = (all) => make("p", { className: "desk-row" }, ...all.slice(0, MOST_FAULTS).map((each) => nameTag(each)));

function faults({ left_out: count, faults: told, left_out_credits: lost }) {
  if (!count) return [];
  const rest = count - Math.min(told.length, MOST_FAULTS);
  return [
    line("desk-import-left", { COUNT: number(count), CREDITS: number(lost) }),
    make(
      "ul",
      { className: "desk-lines", data: { testid: "faults" } },
      ...told.slice(0, MOST_FAULTS).map((each) => make("li", { dir: "auto" }, ...parts(each))),
      ...(rest > 0 ? [make("li", { textContent: worded("desk-paying-more", { COUNT: number(rest) }) })] : []),
    ),
  ];
}

function rowsTable({ shown, rows }) {
  const head = ["line", "whose", "in-file", "before", "after"].map((each) => text("th", `desk-import-${each}`, { scope: "col" }));
  const body = shown.map((each) =>
    make(
      "tr",
      {},
      make("td", { textContent: String(each.line) }),
      make("th", { scope: "row" }, nameTag(each.name || each.id), ...(each.waits ? [" ", make("small", { textContent: word("desk-import-waits") })] : [])),
      make("td", { textContent: number(each.credits) }),
      make("td", { className: "desk-old", textContent: number(each.before) }),
      make("td", { className: "desk-new", textContent: number(each.after) }),
    ),
  );
  const rest = rows - shown.length;
  const others = rest > 0 ? [line("desk-paying-more", { COUNT: number(rest) })] : [];
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  return make("div", { className: "desk-differences", tabIndex: 0, role: "region", aria: { label: word("desk-import-shown") } }, table, ...others);
}

function undoneCard({ taken, given, missing, shortfall }) {
  return make(
    "section",
    { className: "desk-card" },
    make("h3", { textContent: worded("desk-import-taken", { COUNT: number(taken) }) }),
    ...(given ? [line("desk-import-given", { COUNT: signed(given) })] : []),
    ...(shortfall ? [line("desk-import-spent", { COUNT: number(shortfall) })] : []),
    ...Object.entries(missing).map(([who, amount]) => make("p", {}, nameTag(who), `: ${number(amount)}`)),
  );
}

/** Read a file as the letters in which a request can carry it. */
function inBase64(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result).split(",", 2)[1] ?? ""));
    reader.addEventListener("error", () => failed(reader.error));
    reader.readAsDataURL(file);
  });
}
