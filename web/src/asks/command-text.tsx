/** A command that waits for a yes: all of it, as it would be typed. */
import { PlainText } from "../parts/plain-text.tsx";
import { CopyButton } from "../ui/copy-button.tsx";

export function CommandText({ command }: { command: string }) {
  return (
    <div className="group/command relative">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        data-command=""
        className="flex max-h-72 gap-2 overflow-auto whitespace-pre-wrap rounded-md border bg-raised py-2 pr-8 pl-3 touch:py-2.5 touch:pr-11 font-mono text-[0.78rem] leading-5 [overflow-wrap:anywhere]"
      >
        <span aria-hidden="true" className="select-none text-muted-foreground">
          $
        </span>
        <code className="min-w-0 flex-1">
          <PlainText text={command} />
        </code>
      </pre>
      <CopyButton
        name="Command"
        text={() => command}
        className="absolute top-2 right-2 bg-raised text-muted-foreground pointer-fine:opacity-0 touch:top-px touch:right-px focus-visible:opacity-100 group-hover/command:opacity-100"
      />
    </div>
  );
}
