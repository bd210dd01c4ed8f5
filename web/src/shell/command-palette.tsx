/** Find or do anything from one field. The field is there at once, so that no key is lost; what it finds comes when asked for. */
import { Search } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Overlay } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const PaletteList = lazyPart(
  () => import("./palette-list.tsx"),
  undefined,
  ({ query, onQuery }) => (
    <PaletteField>
      <input
        aria-label="Find or do anything"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        {...PALETTE_INPUT}
      />
    </PaletteField>
  ),
);

export const PALETTE_INPUT = {
  placeholder: "Find a session, or do something",
  className:
    "h-full min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none placeholder:text-muted-foreground touch:text-base",
} as const;

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const chosen = useRef<() => void>(undefined);
  return (
    <Overlay
      isOpen
      onClose={onClose}
      hiddenTitle="Find or do anything"
      aria-describedby={undefined}
      // Only then: what is opened takes the focus.
      onClosed={() => chosen.current && setTimeout(chosen.current)}
      className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[76dvh] w-[min(38rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-raised shadow-pop focus:outline-none max-md:top-3 max-md:max-h-[calc(100dvh-1.5rem)]"
    >
      <PaletteList
        query={query}
        onQuery={setQuery}
        onChoose={(run) => {
          chosen.current = run;
          onClose();
        }}
      />
    </Overlay>
  );
}

export function PaletteField({ children }: { children: ReactNode }) {
  return (
    <div className="flex h-12 shrink-0 items-center gap-2.5 border-b px-4">
      <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      {children}
    </div>
  );
}
