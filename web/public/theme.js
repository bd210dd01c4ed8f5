// Runs before the first paint, so that a chosen theme does not flash.
const chosen = localStorage.getItem("interlingua.theme");
const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.classList.toggle("dark", isDark);
