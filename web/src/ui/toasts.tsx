/**
 * Short notes over the page that go by themselves, with at most one thing to do about them. Nothing is said only here
 * that a person has to know later.
 */
import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { messageOf } from "../api/error-text.ts";
import { useRoute } from "../route.ts";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Countdown } from "./countdown.tsx";

export interface Toast {
  text: string;
  /** Before the text. */
  icon?: ReactNode;
  /** What can be done about it; the toast goes with it. */
  action?: { label: string; onPress: () => void };
  tone?: "plain" | "danger";
  /** It takes the place of the one before of this name. */
  name?: string;
  /** The session it is about, if it means nothing elsewhere: it goes when that is left. */
  session?: string;
  /** `Infinity` for one that is dismissed by whoever shows it. */
  durationMs?: number;
  /** How long the action can be taken: shown beside it. */
  countdownMs?: number;
}

export interface Toasts {
  /** Returns a function that dismisses it; calling that again does nothing. */
  show(toast: Toast): () => void;
  /** Says why something did not work. */
  fail(error: unknown): void;
}

interface ShownToast extends Toast {
  id: number;
}

const DEFAULT_DURATION_MS = 5000;
/** The oldest goes when there are more. */
const MAX_SHOWN = 4;

const ToastsContext = createContext<Toasts | undefined>(undefined);

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const last = useRef(0);
  const route = useRoute();
  const open = route.view === "session" ? route.session : undefined;
  useEffect(() => {
    const isHere = ({ session }: Toast) => session === undefined || session === open;
    setShown((all) => (all.every(isHere) ? all : all.filter(isHere)));
  }, [open]);
  const dismiss = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), []);
  const toasts = useMemo<Toasts>(() => {
    function show(toast: Toast) {
      last.current += 1;
      const id = last.current;
      const isReplaced = ({ name }: Toast) => name !== undefined && name === toast.name;
      setShown((all) => [...all.filter((other) => !isReplaced(other)), { ...toast, id }].slice(-MAX_SHOWN));
      return () => dismiss(id);
    }
    return { show, fail: (error) => void show({ text: messageOf(error), tone: "danger" }) };
  }, [dismiss]);
  return (
    <ToastsContext value={toasts}>
      <Radix.Provider label="Note" swipeDirection="right">
        {children}
        {shown.map((toast) => (
          <ToastView key={toast.id} toast={toast} onGone={() => dismiss(toast.id)} />
        ))}
        {/* Over the middle of the header, or on a phone above the field: what is newest may stand right below. */}
        <Radix.Viewport
          label="Notes ({hotkey})"
          // Each toast announces itself. What has this attribute stays reachable while a dialog is open.
          aria-live="off"
          className="pointer-events-none fixed inset-x-0 top-0 z-60 flex flex-col items-center gap-2 px-3 pb-3 pt-[calc(env(safe-area-inset-top)+0.125rem)] max-md:top-auto max-md:bottom-0 max-md:pb-[calc(env(safe-area-inset-bottom)+7.5rem)] outline-none"
        />
      </Radix.Provider>
    </ToastsContext>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext);
  if (!toasts) throw new Error("useToasts is used outside of ToastsProvider");
  return toasts;
}

function ToastView({ toast, onGone }: { toast: ShownToast; onGone: () => void }) {
  const { text, icon, action, countdownMs, tone = "plain", durationMs = DEFAULT_DURATION_MS } = toast;
  return (
    <Radix.Root
      data-toast
      duration={durationMs}
      onOpenChange={(isOpen) => !isOpen && onGone()}
      className={classNames(
        "pointer-events-auto flex max-w-[min(28rem,calc(100vw-1.5rem))] items-center gap-1 rounded-lg bg-raised py-1.5 pr-1.5 pl-3.5 shadow-pop animate-rise",
        tone === "danger" && "text-danger-text",
      )}
    >
      {icon && <span className="mr-1.5 shrink-0 [&_svg]:size-4">{icon}</span>}
      <Radix.Description className="wrap-anywhere min-w-0 flex-1 py-1">{text}</Radix.Description>
      {action && (
        <Radix.Action asChild altText={`. ${action.label}`} onClick={action.onPress}>
          <Button look="ghost" className="ml-2 text-primary-text!">
            {countdownMs !== undefined && <Countdown ms={countdownMs} />}
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton icon={X} label="Dismiss" />
      </Radix.Close>
    </Radix.Root>
  );
}
