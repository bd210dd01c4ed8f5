/** Find or do anything from one field. The field is there at once, so that no key is lost; what it finds comes when asked for. */
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { Backdrop, DialogContent } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const PaletteList = lazyPart(() => import("./palette-list.tsx"));

export const PALETTE_INPUT = {
  placeholder: "Find a session, or do something",
  className:
    "h-full min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none placeholder:text-muted-foreground touch:text-base",
} as const;

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const chosen = useRef<() => void>(undefined);
  const waiting = (
    <PaletteField>
      <input
        aria-label="Find or do anything"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        {...PALETTE_INPUT}
      />
    </PaletteField>
  );
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <DialogContent
          aria-describedby={undefined}
          // Only then: what is opened takes the focus.
          onClosed={() => chosen.current && setTimeout(chosen.current)}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[76dvh] w-[min(38rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-raised shadow-pop focus:outline-none max-md:top-3 max-md:max-h-[calc(100dvh-1.5rem)]"
        >
          <Radix.Title className="sr-only">Find or do anything</Radix.Title>
          <Suspense fallback={waiting}>
            <PaletteList
              query={query}
              onQuery={setQuery}
              onChoose={(run) => {
                chosen.current = run;
                onClose();
              }}
            />
          </Suspense>
        </DialogContent>
      </Radix.Portal>
    </Radix.Root>
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
