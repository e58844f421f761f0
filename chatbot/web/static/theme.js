// Chooses dark or light: the reader's last choice, or what their system prefers.
// It is loaded before the page is drawn, and not as a module, so that a remembered choice never flashes in the other theme.
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
      // A browser that forbids storage still gets the theme until the page is closed.
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
