/** How the page looks: light or dark, and with how much contrast. What the system says, unless the person chose. */
import { useCallback, useEffect, useSyncExternalStore } from "react";

const THEME_KEY = "interlingua.theme";
const CONTRAST_KEY = "interlingua.contrast";
/** Of this tab; the browser tells the others. */
const CHANGED = "interlingua.look";

export type Theme = "system" | "light" | "dark";

export interface Look {
  theme: Theme;
  isHighContrast: boolean;
  setTheme: (theme: Theme) => void;
  setHighContrast: (isHigh: boolean) => void;
}

const isSystemDark = () => matchMedia("(prefers-color-scheme: dark)");
const isSystemHigh = () => matchMedia("(prefers-contrast: more)");

function readTheme(): Theme {
  const chosen = localStorage.getItem(THEME_KEY);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

function readHighContrast(): boolean {
  const chosen = localStorage.getItem(CONTRAST_KEY);
  return chosen === null ? isSystemHigh().matches : chosen === "high";
}

function subscribe(listener: () => void): () => void {
  const systems = [isSystemDark(), isSystemHigh()];
  for (const system of systems) system.addEventListener("change", listener);
  addEventListener(CHANGED, listener);
  addEventListener("storage", listener);
  return () => {
    for (const system of systems) system.removeEventListener("change", listener);
    removeEventListener(CHANGED, listener);
    removeEventListener("storage", listener);
  };
}

/** The look, and how to change it. */
export function useLook(): Look {
  const theme = useSyncExternalStore(subscribe, readTheme);
  const isHighContrast = useSyncExternalStore(subscribe, readHighContrast);
  const setTheme = useCallback((chosen: Theme) => {
    if (chosen === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, chosen);
    dispatchEvent(new Event(CHANGED));
  }, []);
  const setHighContrast = useCallback((isHigh: boolean) => {
    if (isHigh === isSystemHigh().matches) localStorage.removeItem(CONTRAST_KEY);
    else localStorage.setItem(CONTRAST_KEY, isHigh ? "high" : "normal");
    dispatchEvent(new Event(CHANGED));
  }, []);
  return { theme, isHighContrast, setTheme, setHighContrast };
}

/** Shows the look, once for the whole page. */
export function useShownLook(): void {
  const theme = useSyncExternalStore(subscribe, readTheme);
  const isHighContrast = useSyncExternalStore(subscribe, readHighContrast);
  const isDark = useSyncExternalStore(
    subscribe,
    () => theme === "dark" || (theme === "system" && isSystemDark().matches),
  );
  useEffect(() => {
    document.documentElement.classList.toggle("dark", isDark);
    document.documentElement.classList.toggle("contrast", isHighContrast);
  }, [isDark, isHighContrast]);
}
