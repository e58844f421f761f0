// Chooses dark or light: the user's last choice, or the preference of the system.
// It is loaded before the page is drawn, and not as a module, so that the other theme never flashes up.
"use strict";

(() => {
  const KEY = "rabble.theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  }

  function show(theme) {
    document.documentElement.dataset.theme = theme;
  }

  function fromSystem() {
    return system.matches ? "dark" : "light";
  }

  show(["dark", "light"].includes(remembered() ?? "") ? remembered() : fromSystem());
  system.addEventListener("change", () => remembered() || show(fromSystem()));
  document.addEventListener("DOMContentLoaded", () => {
    /** @type {HTMLElement} */ (document.getElementById("theme")).addEventListener("click", () => {
      const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      show(theme);
      remember(theme);
    });
  });
})();
