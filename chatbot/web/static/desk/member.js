// One member: what they have, what moved it, and what can be done about it.

import { make, nameTag, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst, differences } from "./asking.js";
import { pagedList } from "./paging.js";
import { attempt, sentenceFor, text, worded } from "./telling.js";
import { moment, number, signed } from "./times.js";

const WHOLE = /^[0-9]{1,15}$/;
const AMOUNT = /^([0-9]{1,15}|[1-9][0-9]{0,2}(,[0-9]{3}){1,4})[km]?$/i; // what is granted, and what a wallet is set to
const SHARE = /^(half|all|[0-9]{1,3}%)$/i; // what may be taken besides
const MOVEMENTS = 20;
const MOST_MOVEMENTS = 100;

/** Show the member of a seat; `closed()` is called when whoever looked goes back. */
export function memberCard(desk, seat, closed) {
  const { api } = desk;
  const back = make("button", {
    type: "button",
    className: "button",
    textContent: word("desk-members-back"),
  });
  const about = make(
    "div",
    { className: "desk-stack" },
    text("p", "desk-loading", { className: "desk-soft", role: "status" }),
  );
  const lists = make("div", { className: "desk-stack" });
  const node = make("div", { className: "desk-section", data: { testid: "member" } }, back, about, lists);
  const moving = movingForm(desk, seat, () => known, refresh);
  let known = /** @type {any} */ (null);
  let shown = MOVEMENTS;
  const history = pagedList({
    // A movement has no number of its own to go on from: more of them are read from the beginning.
    read: async (count, last) => {
      shown = last ? Math.min(shown + count, MOST_MOVEMENTS) : shown;
      const rows = await api.transfers(known.seat, { count: shown });
      return last ? rows.slice(shown - count) : rows;
    },
    key: ({ at, balance, text: said }) => `${at} ${balance} ${said}`,
    draw: movementRow,
    empty: "desk-history-none",
    label: word("desk-history"),
    name: "history",
    page: MOVEMENTS,
  });

  back.addEventListener("click", closed);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    closed();
  });
  load();

  async function load() {
    try {
      known = await api.member(seat);
    } catch (failure) {
      const again = make("button", { type: "button", className: "button", textContent: word("desk-again") });
      again.addEventListener("click", load);
      const sentence = make("p", {
        className: "desk-wrong",
        role: "alert",
        textContent: sentenceFor(failure),
      });
      about.replaceChildren(make("div", { className: "desk-row" }, sentence, again));
      return;
    }
    draw();
    lists.replaceChildren(...(moving ? [moving.node] : []), text("h3", "desk-history"), history.node);
    history.reload();
  }

  function draw() {
    const focused = /** @type {HTMLElement | null} */ (about.querySelector(":focus"))?.dataset.act;
    about.replaceChildren(...aboutMember(desk, known, refresh));
    if (focused) /** @type {HTMLElement | null} */ (about.querySelector(`[data-act="${focused}"]`))?.focus();
    moving?.show();
  }

  /** Take up what has changed; what is typed stays. */
  async function refresh() {
    if (known === null) return;
    const present = await attempt(() => api.member(seat));
    if (present === null) return;
    if (JSON.stringify(present) !== JSON.stringify(known)) {
      known = present;
      draw();
    }
    history.refresh();
  }

  return { node, refresh, focus: () => back.focus() };
}

function aboutMember(desk, member, refresh) {
  const tags = [
    ...(member.title ? [make("span", { className: "desk-tag", textContent: member.title })] : []),
    ...(member.own
      ? [text("span", "desk-member-you", { className: "desk-tag", data: { kind: "now" } })]
      : []),
    ...(member.regular ? [text("span", "desk-role-regular", { className: "desk-tag" })] : []),
    ...(member.excluded
      ? [text("span", "desk-member-excluded", { className: "desk-tag", data: { kind: "off" } })]
      : []),
  ];
  const wallet = make(
    "p",
    { className: "desk-wallet", data: { testid: "wallet" } },
    make("strong", { textContent: number(member.credits) }),
    " ",
    text("span", "desk-credits", { className: "desk-soft" }),
  );
  const facts = [
    ["desk-member-accounts", make("span", { textContent: member.accounts.map(accountOf).join(", ") || "–" })],
    ["desk-member-seen", member.seen_at ? moment(member.seen_at) : "–"],
    ["desk-member-first", member.first_at ? moment(member.first_at) : "–"],
    ["desk-member-watched", worded("desk-minutes", { COUNT: number(member.minutes) })],
    ["desk-member-messages", number(member.messages)],
  ];
  const list = make(
    "dl",
    { className: "desk-facts" },
    ...facts.map(([id, value]) =>
      make("div", {}, text("dt", /** @type {string} */ (id)), make("dd", {}, value)),
    ),
  );
  const did = make("button", {
    type: "button",
    className: "button",
    textContent: word("desk-member-did"),
    data: { act: "did" },
  });
  const got = make("button", {
    type: "button",
    className: "button",
    textContent: word("desk-member-got"),
    data: { act: "got" },
  });
  did.addEventListener("click", () => desk.open("audit", { actor: member.wallet, name: member.name }));
  got.addEventListener("click", () => desk.open("audit", { subject: member.wallet, about: member.name }));
  return [
    make(
      "div",
      { className: "desk-row desk-spread" },
      make("h2", {}, nameTag(member.name), " ", ...tags),
      wallet,
    ),
    list,
    make("div", { className: "desk-row" }, ...naming(desk, member, refresh), did, got),
  ];
}

function accountOf(account) {
  const [platform, ...key] = account.split(":");
  return `${word(`desk-platform-${platform}`)} ${key.join(":")}`;
}

/** The buttons by which a member is put on a list of the room, or taken off it. */
function naming(desk, member, refresh) {
  return [
    ["regular", member.regular],
    ["exclude", member.excluded],
  ]
    .filter(([command]) => desk.commands.has(command))
    .map(([command, is]) => {
      const title = word(`desk-${command}${is ? "-off" : ""}`);
      const button = withoutDouble(
        make("button", {
          type: "button",
          className: "button",
          textContent: title,
          data: { act: String(command) },
        }),
      );
      button.addEventListener("click", () => {
        const body = [
          make("p", {
            textContent: worded(`desk-${command}${is ? "-off" : ""}-does`, { NAME: member.name }),
          }),
        ];
        askFirst({ title, body, go: title, reason: true }, async (reason) => {
          const line = `@${member.seat}${is ? " off" : ""}${reason ? ` -- ${reason}` : ""}`;
          await act(desk.api, command, line, { members: [member.seat] });
          await refresh();
          return undefined;
        });
      });
      return button;
    });
}

/** The form by which credits are granted and taken; null if whoever is here may do neither. */
function movingForm(desk, seat, member, refresh) {
  const commands = ["grant", "take", "creditsset"].filter((each) => desk.commands.has(each));
  if (!commands.length) return null;
  const amount = make("input", {
    className: "field",
    id: "amount",
    inputMode: "numeric",
    autocomplete: "off",
    maxLength: 20,
    placeholder: "50",
  });
  const why = make("input", { className: "field", id: "moving-why", maxLength: 150, autocomplete: "off" });
  const wrong = make("p", { className: "desk-wrong", role: "alert" });
  const after = make("p", { className: "desk-soft", role: "status" });
  const buttons = commands.map((command) => {
    const button = withoutDouble(
      make("button", {
        type: command === commands[0] ? "submit" : "button",
        className: "button",
        textContent: word(`desk-${command}`),
        data: { act: command },
      }),
    );
    if (command !== commands[0]) button.addEventListener("click", () => ask(command));
    return button;
  });
  const form = make(
    "form",
    { className: "desk-card", data: { testid: "moving" } },
    text("h3", "desk-moving"),
    make(
      "div",
      { className: "desk-filters" },
      make("label", { className: "desk-stack" }, text("span", "desk-amount"), amount),
      make("label", { className: "desk-stack" }, text("span", "desk-why"), why),
    ),
    after,
    wrong,
    make("div", { className: "desk-row" }, ...buttons),
  );

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(commands[0]);
  });
  amount.addEventListener("input", show);

  function show() {
    const typed = amount.value.trim();
    wrong.replaceChildren();
    amount.removeAttribute("aria-invalid");
    if (!WHOLE.test(typed)) return after.replaceChildren();
    const { credits } = member();
    const told = {
      NOW: number(credits),
      MORE: number(credits + Number(typed)),
      LESS: number(Math.max(credits - Number(typed), 0)),
    };
    after.textContent = worded("desk-moving-does", told);
    return undefined;
  }

  function refuse(sentence) {
    wrong.textContent = sentence;
    amount.setAttribute("aria-invalid", "true");
    amount.focus();
  }

  async function ask(command) {
    const typed = amount.value.trim();
    if (!typed) {
      refuse(word("desk-moving-amount"));
      return;
    }
    const here = member();
    if (!AMOUNT.test(typed) && !(command === "take" && SHARE.test(typed))) {
      refuse(worded("desk-moving-unclear", { TYPED: typed }));
      return;
    }
    if (command === "take" && WHOLE.test(typed) && Number(typed) > here.credits) {
      refuse(worded("desk-moving-short", { NAME: here.name, NOW: number(here.credits) }));
      return;
    }
    const title = worded(`desk-${command}-title`, { NAME: here.name });
    const shown = make("div", {}, difference(here, command, typed));
    let credits = here.credits;
    const reason = why.value.trim();
    const because = make("p", {
      textContent: reason ? worded("desk-audit-why", { WHY: reason }) : word("desk-moving-without"),
    });
    askFirst({ title, body: [shown, because], go: word(`desk-${command}`) }, async () => {
      const present = await attempt(() => desk.api.member(seat));
      if (present === null) return word("desk-lost");
      if (present.credits !== credits) {
        const told = worded("desk-moving-changed", { BEFORE: number(credits), NOW: number(present.credits) });
        credits = present.credits;
        shown.replaceChildren(difference(present, command, typed));
        return told;
      }
      const line = `@${seat} ${typed}${reason ? ` -- ${reason}` : ""}`;
      if (await act(desk.api, command, line, { members: [seat] })) {
        amount.value = "";
        why.value = "";
        show();
      }
      await refresh();
      return undefined;
    });
  }

  return { node: form, show };
}

function difference({ name, credits }, command, typed) {
  const whole = WHOLE.test(typed) ? Number(typed) : null;
  const changes = { grant: credits + (whole ?? 0), take: credits - (whole ?? 0), creditsset: whole ?? 0 };
  const after =
    whole === null ? worded(`desk-${command}-share`, { AMOUNT: typed }) : number(changes[command]);
  return differences([{ name, before: number(credits), after }]);
}

function movementRow(row) {
  return [
    make(
      "div",
      { className: "desk-grow" },
      make("p", { dir: "auto", textContent: row.text }),
      make("p", { className: "desk-soft" }, moment(row.at)),
    ),
    make(
      "p",
      { className: "desk-amount" },
      make("strong", {
        className: row.credits < 0 ? "desk-minus" : "desk-plus",
        textContent: signed(row.credits),
      }),
      " ",
      make("small", {
        className: "desk-soft",
        textContent: worded("desk-history-then", { BALANCE: number(row.balance) }),
      }),
    ),
  ];
}
