/** A link that gives access, the only time it is shown: to copy, to scan, and what is missing to follow it. */
import { CopyButton } from "../ui/copy-button.tsx";
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
      {reachable && <QrCode text={link} className="mx-auto w-52" />}
      <Field label="Link" hint={hint}>
        {(ids) => (
          <div className="flex items-center gap-2">
            <TextInput
              {...ids}
              readOnly
              autoFocus
              value={link}
              onFocus={(event) => event.target.setSelectionRange(0, link.length, "backward")}
              className="font-mono text-xs"
            />
            <CopyButton name="link" text={() => link} className="p-2 [&_svg]:size-4" />
          </div>
        )}
      </Field>
      <MissingForOthers
        title={reachable ? "Before you send it" : "Nobody else can open it yet"}
        missing={missing}
      />
    </section>
  );
}
