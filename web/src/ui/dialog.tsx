/**
 * Dialogs and side sheets. Radix gives focus and keys; its own overlay is left out because it puts style elements
 * into the page, which the Content-Security-Policy refuses.
 */
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { parseRoute } from "../route.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { focusFirst } from "./focus-first.ts";

interface DialogProps {
  /** Wide ones have room for diffs. */
  size?: "normal" | "wide";
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  children: ReactNode;
}

/** The initial focus: what asks for it (`data-autofocus`), else the first field, else the first button that does not just close the dialog. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const target =
    content.querySelector<HTMLElement>("[data-autofocus]") ??
    content.querySelector<HTMLElement>(":is(input, select, textarea):not(:disabled)") ??
    content.querySelector<HTMLElement>("button:not([aria-label=Close])");
  event.preventDefault();
  (target ?? content).focus();
}

function focusItself(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus();
}

/** What takes Escape for itself says so: it does not close what is around it. */
function keepOwnEscape(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.closest("[data-own-escape]")) event.preventDefault();
}

interface DialogContentProps extends Omit<ComponentProps<typeof Radix.Content>, "onCloseAutoFocus"> {
  /** Called when it is gone and the focus is where it was. */
  onClosed?: () => void;
}

/** Gives the focus back to what had it. Radix knows only the button of a dialog, and most are opened by other means. */
function DialogContent({ onClosed, ...props }: DialogContentProps) {
  const [before] = useState(() => ({ focused: document.activeElement, place: shownPlace() }));
  return (
    <Radix.Content
      {...props}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        // What was opened from it takes the focus itself.
        if (document.activeElement === document.body && shownPlace() === before.place)
          focusFirst(before.focused);
        onClosed?.();
      }}
    />
  );
}

/** The session that is shown, or the view. */
function shownPlace(): string {
  const route = parseRoute(location.hash);
  return route.view === "session" ? route.session : route.view;
}

interface OverlayProps extends DialogContentProps {
  isOpen: boolean;
  onClose: () => void;
  /** For screen readers only. Without it the content has a title of its own. */
  hiddenTitle?: string;
}

/** What opens over the page, with what is below it darkened. Place and frame are those of `className`. */
export function Overlay({ isOpen, onClose, hiddenTitle, children, ...content }: OverlayProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 bg-black/25 animate-rise dark:bg-black/50" />
        <DialogContent {...content}>
          {hiddenTitle !== undefined && <Radix.Title className="sr-only">{hiddenTitle}</Radix.Title>}
          {children}
        </DialogContent>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function Dialog({ isOpen, onClose, title, description, size = "normal", children }: DialogProps) {
  return (
    <Overlay
      isOpen={isOpen}
      onClose={onClose}
      {...(!description && { "aria-describedby": undefined })}
      onOpenAutoFocus={focusFirstField}
      className={classNames(
        "fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl bg-raised p-5 shadow-pop focus:outline-none",
        size === "wide" ? "w-[min(44rem,calc(100vw-2rem))]" : "w-[min(30rem,calc(100vw-2rem))]",
      )}
    >
      <div className="flex items-start justify-between gap-4">
        <Radix.Title className="font-semibold text-[0.9375rem]">{title}</Radix.Title>
        <Radix.Close asChild>
          <IconButton icon={X} label="Close" className="-mt-1 -mr-1.5" />
        </Radix.Close>
      </div>
      {description && (
        <Radix.Description className="mt-0.5 text-muted-foreground">{description}</Radix.Description>
      )}
      {children}
    </Overlay>
  );
}

interface SheetProps extends Omit<DialogProps, "description"> {
  side: "left" | "right";
  /** Whether the title is visible, or only for screen readers. */
  showsTitle?: boolean;
}

export function Sheet({ isOpen, onClose, title, side, size = "normal", showsTitle, children }: SheetProps) {
  return (
    <Overlay
      isOpen={isOpen}
      onClose={onClose}
      hiddenTitle={showsTitle ? undefined : title}
      aria-describedby={undefined}
      // No element in it: the next key would press something unseen.
      onOpenAutoFocus={focusItself}
      onEscapeKeyDown={keepOwnEscape}
      className={classNames(
        "fixed inset-y-0 z-50 flex flex-col bg-panel shadow-pop focus:outline-none",
        side === "left" && "left-0 w-[min(20rem,86vw)] animate-slide",
        side === "right" && "right-0 animate-slide-right",
        side === "right" && (size === "wide" ? "w-[min(44rem,100vw)]" : "w-[min(27rem,100vw)]"),
      )}
    >
      {showsTitle && (
        <div className="flex h-12 shrink-0 items-center justify-between border-b pr-2.5 pl-4">
          <Radix.Title className="font-semibold">{title}</Radix.Title>
          <Radix.Close asChild>
            <IconButton icon={X} label="Close" />
          </Radix.Close>
        </div>
      )}
      {children}
    </Overlay>
  );
}
