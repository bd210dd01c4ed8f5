/** Invites others to a session by a link, and takes invitations back. */
import { type FormEvent, useState } from "react";
import type { CreatedInvitation, Invitation } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Select, TextInput } from "../ui/field.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { useInvitations } from "./use-invitations.ts";

interface ShareDialogProps {
  session: string;
  isOpen: boolean;
  onClose: () => void;
}

export function ShareDialog({ session, isOpen, onClose }: ShareDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite to this session"
      description="A link for one person. It works once, and its access is for this session only."
    >
      <Share session={session} />
    </Dialog>
  );
}

const HOUR_MS = 3_600_000;

const DURATIONS = [
  { hours: 1, name: "1 hour" },
  { hours: 8, name: "8 hours" },
  { hours: 24, name: "24 hours" },
] as const;

const ROLE_TEXTS: Readonly<Record<Invitation["role"], string>> = {
  participant:
    "Sees everything that is said, sends prompts and answers questions. Permissions and plans stay with you.",
  observer: "Sees everything that is said, and changes nothing.",
};

function Share({ session }: { session: string }) {
  const invitations = useInvitations(session);
  const [role, setRole] = useState<Invitation["role"]>("participant");
  const [hours, setHours] = useState(24);
  const [isMaking, setIsMaking] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsMaking(true);
    await invitations.create(role, hours * HOUR_MS);
    setIsMaking(false);
  }

  return (
    <div className="mt-4 space-y-4">
      <form onSubmit={submit} className="space-y-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Role">
            {(ids) => (
              <Select
                {...ids}
                value={role}
                onChange={(event) => setRole(event.target.value as Invitation["role"])}
              >
                <option value="participant">Participant</option>
                <option value="observer">Observer</option>
              </Select>
            )}
          </Field>
          <Field label="The link works for">
            {(ids) => (
              <Select {...ids} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
                {DURATIONS.map(({ hours, name }) => (
                  <option key={hours} value={hours}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <p className="text-muted-foreground text-xs leading-5">{ROLE_TEXTS[role]}</p>
        <Button type="submit" look="primary" disabled={isMaking}>
          Make a link
        </Button>
      </form>
      {invitations.problem && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text text-xs leading-5">
          {invitations.problem}
        </p>
      )}
      {invitations.made && <MadeInvitation key={invitations.made.id} invitation={invitations.made} />}
      <InvitationList invitations={invitations.list} onRevoke={invitations.revoke} />
    </div>
  );
}

/** The only time the link is shown. */
function MadeInvitation({ invitation }: { invitation: CreatedInvitation }) {
  const { link, expiresAt, reachable, missing = [] } = invitation;
  return (
    <section aria-label="The new invitation" className="space-y-3 rounded-lg border bg-muted/60 p-3">
      <Field
        label="Link"
        hint={`It is shown only now. It works until ${formatTime(expiresAt)}, or until somebody has used it.`}
      >
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
      {missing.length > 0 && (
        <div
          role="status"
          className="rounded-md border border-waiting-border bg-waiting-soft px-3 py-2 text-xs leading-5"
        >
          <p className="font-medium text-waiting-text">
            {reachable ? "Before you send it" : "Nobody else can open it yet"}
          </p>
          <ul className="mt-1 list-disc space-y-1 pl-4 text-soft">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function formatTime(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
