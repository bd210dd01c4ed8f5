// Runs before the first paint, so that a chosen look does not flash. web/src/ui/theme.ts has the same rules.
const chosen = localStorage.getItem("interlingua.theme");
const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const contrast = localStorage.getItem("interlingua.contrast");
const isHigh = contrast ? contrast === "high" : matchMedia("(prefers-contrast: more)").matches;
document.documentElement.classList.toggle("dark", isDark);
document.documentElement.classList.toggle("contrast", isHigh);
