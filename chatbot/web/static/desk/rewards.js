// What viewers buy for channel points and bet on: what each does, made and removed as in the chat.

import { make, withoutDouble } from "../dom.js";
import { parts, word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { button, field } from "./controls.js";
import { settingField } from "./group.js";
import { attempt, text } from "./telling.js";

const BETS = [
  ["", "prediction"],
  ["room", "announcements"],
]; // settings of every game, or of a group

/** Make the section of rewards and predictions. */
export function rewardsSection(desk) {
  const { api } = desk;
  const place = make("div", { className: "desk-stack" });
  const fields = desk.groups.flatMap((group) =>
    group.settings
      .filter(({ key }) => BETS.some(([name, wanted]) => key === wanted && (name ? name === group.name : group.is_game)))
      .map((setting) => ({ group: group.name, field: settingField(desk, group, setting, group.is_game ? group.title : "") })),
  );
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-rewards"),
    text("h3", "desk-rewards-sold"),
    place,
    text("h3", "desk-rewards-bets"),
    make("div", { className: "desk-form" }, ...fields.map(({ field }) => field.node)),
  );
  load();

  async function load() {
    const told = await attempt(api.rewards);
    if (told !== null) draw(told);
  }

  function draw({ closed, rewards, games }) {
    if (closed) {
      place.replaceChildren(make("p", { className: "desk-card" }, ...parts(closed)));
      return;
    }
    const rows = rewards.map((each) => row(each));
    const list = rows.length
      ? make("ul", { className: "desk-list-of" }, ...rows)
      : text("p", "desk-rewards-none", { className: "desk-soft" });
    place.replaceChildren(list, maker(games));
  }

  function row(reward) {
    const change = button("desk-rewards-change", "", () => askToChange(reward));
    const retire = button("desk-rewards-retire", "danger", () => askToRetire(reward));
    for (const each of [change, retire]) each.setAttribute("aria-label", `${each.textContent}: ${reward.title}`);
    return make(
      "li",
      { className: "desk-item", data: { reward: reward.title } },
      make("p", { dir: "auto", textContent: reward.told }),
      make("div", { className: "desk-row" }, ...(reward.stake === null ? [] : [change]), retire),
    );
  }

  function askToChange(reward) {
    const cost = field("desk-rewards-cost", { value: reward.cost, inputMode: "numeric" });
    const stake = field("desk-rewards-stake", { value: reward.stake, inputMode: "numeric" });
    const cooldown = field("desk-rewards-cooldown", { value: reward.cooldown, inputMode: "numeric" });
    const title = field("desk-rewards-title", { value: reward.title, maxLength: 45 });
    const body = [cost, stake, cooldown, title].map(({ node: each }) => each);
    askFirst({ title: reward.title, body, go: word("desk-rewards-apply"), reason: true }, async (reason) => {
      const wanted = [
        ["cost", cost.value(), String(reward.cost)],
        ["stake", stake.value(), String(reward.stake)],
        ["cooldown", cooldown.value(), String(reward.cooldown)],
        ["title", title.value(), reward.title],
      ].filter(([, after, before]) => after && after !== before);
      if (!wanted.length) return word("desk-rewards-same");
      const line = wanted.map(([name, after]) => `${name} ${after}`).join(" ");
      await use(`change ${reward.title} ${line}`, reason);
      return undefined;
    });
  }

  function askToRetire(reward) {
    const body = [make("p", { dir: "auto", textContent: reward.told }), text("p", "desk-rewards-retire-hint")];
    const title = word("desk-rewards-retire-title");
    askFirst({ title, body, go: word("desk-rewards-retire"), reason: true, danger: true }, async (reason) => {
      await use(`remove ${reward.title}`, reason);
      return undefined;
    });
  }

  function maker(games) {
    const game = make(
      "select",
      { className: "field", id: "reward-game" },
      ...games.map((each) => make("option", { value: each.word, textContent: each.title })),
    );
    const cost = field("desk-rewards-cost", { placeholder: "500", required: true, inputMode: "numeric" });
    const stake = field("desk-rewards-stake", { placeholder: "100", required: true, inputMode: "numeric" });
    const cooldown = field("desk-rewards-cooldown", { placeholder: "0", inputMode: "numeric" });
    const title = field("desk-rewards-title", { maxLength: 45 });
    const make_ = withoutDouble(
      make("button", { type: "submit", className: "button brand-button", textContent: word("desk-rewards-make") }),
    );
    const form = make(
      "form",
      { className: "desk-card", autocomplete: "off" },
      text("h4", "desk-rewards-new"),
      make(
        "div",
        { className: "desk-fields" },
        make("label", { className: "desk-labelled" }, text("span", "desk-rewards-game"), game),
        ...[cost, stake, cooldown, title].map(({ node: each }) => each),
      ),
      make("div", { className: "desk-row" }, make_),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const line = ["make", game.value, cost.value(), stake.value(), cooldown.value() || "0", title.value()];
      await use(line.filter(Boolean).join(" "));
    });
    return form;
  }

  async function use(line, reason = "") {
    if (await act(api, "rewards", `${line}${reason ? ` -- ${reason}` : ""}`)) await load();
  }

  function refresh(groups) {
    for (const { group, field: each } of fields) {
      const setting = groups.find(({ name }) => name === group)?.settings.find(({ key }) => key === each.key);
      if (setting) each.show(setting, desk.drafts.of(group, each.key));
    }
  }

  return { node, refresh, changed: (what) => what.audit && load() };
}
