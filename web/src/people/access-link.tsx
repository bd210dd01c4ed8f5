/** A link that gives access, the only time it is shown: to copy, to scan, and what is missing to follow it. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { MissingForOthers } from "./missing-for-others.tsx";

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
  const [isCopied, setIsCopied] = useState(false);
  function copy() {
    navigator.clipboard?.writeText(link).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), 1500);
      },
      () => {},
    );
  }
  return (
    <Button look="primary" aria-label="Copy link" onClick={copy}>
      {isCopied ? <Check /> : <Copy />} {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}
