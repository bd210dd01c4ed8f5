/** The key of an answer, as a hint on its button, where there is a keyboard. Not to be seen while the key would not work. */
import { classNames } from "../ui/class-names.ts";

/** Always takes its room: a button that moves while it is pressed is missed. */
export function KeyHint({ children, works }: { children: string; works: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-key={works ? children : undefined}
      data-hint={works ? "on" : "off"}
      className={classNames(
        "-mr-1 ml-0.5 grid h-4 min-w-4 place-items-center rounded border border-current/30 px-0.5 font-mono font-normal text-[0.625rem] transition-opacity touch:hidden",
        works ? "opacity-80" : "opacity-0",
      )}
    >
      {children}
    </span>
  );
}
