/** A link that gives access, the only time it is shown: to copy, to scan, and what is missing to follow it. */
import { Check, Copy } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { useCopied } from "../ui/use-copied.ts";

interface AccessLinkProps {
  /** What it is, for screen readers. */
  name: string;
  hint: string;
  link: string;
  reachable: boolean;
  missing?: readonly string[];
}

export function AccessLink({ name, hint, link, reachable, missing = [] }: AccessLinkProps) {
  return (
    <section aria-label={name} className="space-y-3 rounded-lg border bg-muted/60 p-3">
      <MissingForOthers
        title={reachable ? "Before you send it" : "Nobody else can open it yet"}
        missing={missing}
      />
      {reachable && <QrCode text={link} className="mx-auto w-52" />}
      <Field label="Link" hint={hint}>
        {(ids) => (
          <div className="flex items-center gap-2">
            <TextInput
              {...ids}
              readOnly
              autoFocus
              value={link}
              onFocus={({ target }) => {
                target.setSelectionRange(0, link.length, "backward");
                // Where it leads says more than how it ends.
                requestAnimationFrame(() => target.scrollTo({ left: 0 }));
              }}
              className="font-mono text-xs"
            />
            <CopyLink link={link} />
          </div>
        )}
      </Field>
    </section>
  );
}

function CopyLink({ link }: { link: string }) {
  const [isCopied, copy] = useCopied();
  return (
    <Button look="primary" aria-label="Copy link" onClick={() => copy(link)}>
      {isCopied ? <Check /> : <Copy />} {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}

/** What there has to be before another machine can, or should, follow a link to this daemon. */
export function MissingForOthers({ title, missing }: { title: string; missing: readonly string[] }) {
  if (missing.length === 0) return null;
  return (
    <div
      role="status"
      className="rounded-md border border-waiting-border bg-waiting-soft px-3 py-2 text-xs leading-5"
    >
      <p className="font-medium text-waiting-text">{title}</p>
      <ul className="mt-1 list-disc space-y-1 pl-4 text-soft">
        {missing.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
