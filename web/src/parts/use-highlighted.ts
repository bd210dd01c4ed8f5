/** The colours of a code; it is shown without them until they are there. */
import { useEffect, useState } from "react";
import type { CodeToken } from "./highlight-code.ts";

/** Longer code stays without colours: what finds them is not made for it. */
const MAX_CODE_LENGTH = 20_000;
const MAX_LINE_LENGTH = 2_000;

/** Lines of tokens; undefined while there are none. `language` is undefined while the code is still written. */
export function useHighlighted(
  code: string,
  language: string | undefined,
): readonly CodeToken[][] | undefined {
  const [found, setFound] = useState<{ code: string; lines: readonly CodeToken[][] }>();
  useEffect(() => {
    if (language === undefined || code.length > MAX_CODE_LENGTH || hasLongLine(code)) return;
    let isCurrent = true;
    import("./highlight-code.ts")
      .then(({ highlightCode }) => highlightCode(code, language))
      .then(
        (lines) => {
          if (isCurrent && lines) setFound({ code, lines });
        },
        // It is as readable without.
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [code, language]);
  return found?.code === code ? found.lines : undefined;
}

function hasLongLine(code: string): boolean {
  return code.split("\n").some((line) => line.length > MAX_LINE_LENGTH);
}
