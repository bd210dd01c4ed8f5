/** Whether the sidebar is open where there is room for it, kept in this browser. */
import { useState } from "react";

const KEY = "interlingua.sidebar";

export function useSidebar(): readonly [boolean, () => void] {
  const [isOpen, setIsOpen] = useState(() => localStorage.getItem(KEY) !== "closed");
  return [
    isOpen,
    () => {
      setIsOpen(!isOpen);
      localStorage.setItem(KEY, isOpen ? "closed" : "open");
    },
  ];
}
