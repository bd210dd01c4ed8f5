/** Copies to the clipboard, and says for a moment that it did. */
import { useState } from "react";

const SHOWN_MS = 1500;

export function useCopied(): readonly [boolean, (text: string) => void] {
  const [isCopied, setIsCopied] = useState(false);
  function copy(text: string) {
    navigator.clipboard?.writeText(text).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), SHOWN_MS);
      },
      () => {},
    );
  }
  return [isCopied, copy];
}
