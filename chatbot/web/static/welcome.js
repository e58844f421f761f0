// The dialog in which a viewer enters the chat, adds another viewer, or changes one.

import { find, findDialog, findField, make } from "./dom.js";
import { word } from "./words.js";

const DIALOG = findDialog("welcome");
const NAME = findField("welcome-name");
const ROLE = /** @type {HTMLSelectElement} */ (find("welcome-role"));

// The texts of the dialog depend on its purpose; the fields are the same.
const WORDS = {
  welcome: { title: "page-welcome", hint: "page-welcome-hint", enter: "page-enter" },
  add: { title: "page-add-viewer", hint: "page-add-hint", enter: "page-enter" },
  edit: { title: "page-edit-viewer", hint: "page-edit-hint", enter: "page-save" },
};

/** `enter(name, role)` returns whether it could be sent; `remove()` removes the viewer who is being edited; `taken(name)` says whether a viewer has that name in any spelling. */
export function createWelcome({ enter, remove, taken }) {
  let names = [];
  let pending = false;

  find("welcome-form").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  find("dice").addEventListener("click", () => {
    invent();
    NAME.focus();
  });
  find("welcome-cancel").addEventListener("click", () => DIALOG.close());
  find("remove-viewer").addEventListener("click", () => {
    DIALOG.close();
    remove();
  });
  DIALOG.addEventListener("close", () => {
    pending = false;
    find("composer").focus();
  });

  function setChoices(suggestions, roles) {
    // The answer to a request over the old connection will not come over the new one.
    pending = false;
    names = suggestions;
    const chosen = ROLE.value;
    ROLE.replaceChildren(...roles.map(({ id, label }) => make("option", { value: id, textContent: label })));
    if (chosen) ROLE.value = chosen;
  }

  function welcome() {
    open("welcome");
  }

  function add() {
    open("add");
  }

  function edit(viewer) {
    open("edit");
    NAME.value = viewer.name;
    ROLE.value = viewer.role;
    ROLE.focus();
  }

  function open(why) {
    DIALOG.dataset.why = why;
    find("welcome-title").textContent = word(WORDS[why].title);
    find("welcome-hint").textContent = word(WORDS[why].hint);
    find("welcome-enter").textContent = word(WORDS[why].enter);
    NAME.readOnly = why === "edit";
    complain("");
    ROLE.selectedIndex = 0;
    if (why !== "edit") invent();
    if (!DIALOG.open) DIALOG.showModal();
    NAME.focus();
    NAME.select();
  }

  function invent() {
    const free = names.filter((name) => name !== NAME.value && !taken(name));
    const choice = free.length ? free : names.map((name) => `${name}${Math.ceil(Math.random() * 99)}`);
    NAME.value = choice[Math.floor(Math.random() * choice.length)] ?? "";
    NAME.select();
  }

  function submit() {
    const name = NAME.value.trim();
    if (!name) return refuse(word("page-name-missing"));
    if (DIALOG.dataset.why !== "edit" && taken(name)) return refuse(word("page-name-here"));
    pending = enter(name, ROLE.value);
    complain(pending ? "" : word("page-not-sent"));
  }

  /** Handle that a viewer has entered; returns whether this dialog requested it. */
  function accepted() {
    const asked = pending;
    pending = false;
    if (asked) DIALOG.close();
    return asked;
  }

  /** Handle a refusal; returns whether this dialog requested what was refused, whose fields then stay as they are. */
  function refused(text) {
    if (!pending) return false;
    pending = false;
    refuse(text);
    return true;
  }

  function refuse(text) {
    complain(text);
    NAME.focus();
    NAME.select();
  }

  /** Whether a request for a new viewer is pending. */
  const adding = () => pending && DIALOG.dataset.why !== "edit";

  function complain(text) {
    find("welcome-error").textContent = text;
    NAME.setAttribute("aria-invalid", String(Boolean(text)));
  }

  return { accepted, add, adding, edit, refused, setChoices, welcome };
}
