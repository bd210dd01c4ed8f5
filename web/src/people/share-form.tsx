/** What an invitation gives and for how long; its link, once; and those there are. */
import { type FormEvent, useState } from "react";
import type { Invitation } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { formatMoment } from "../ui/format.ts";
import { Problem } from "../ui/problem.tsx";
import { AccessLink } from "./access-link.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { useInvitations } from "./use-invitations.ts";

const HOUR_MS = 3_600_000;

const DURATIONS = [
  { value: 1, name: "1 hour" },
  { value: 8, name: "8 hours" },
  { value: 24, name: "24 hours" },
];

const ROLES: readonly { value: Invitation["role"]; name: string }[] = [
  { value: "participant", name: "Participant" },
  { value: "observer", name: "Observer" },
];

const ROLE_TEXTS: Readonly<Record<Invitation["role"], string>> = {
  participant:
    "Sees everything that is said, sends prompts and answers questions. Permissions and plans stay with you.",
  observer: "Sees everything that is said, and changes nothing.",
};

export default function ShareForm({ session }: { session: string }) {
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
            {(ids) => <Select {...ids} autoFocus value={role} options={ROLES} onChange={setRole} />}
          </Field>
          <Field label="The link works for">
            {(ids) => <Select {...ids} value={hours} options={DURATIONS} onChange={setHours} />}
          </Field>
        </div>
        <p className="text-muted-foreground text-xs leading-5">{ROLE_TEXTS[role]}</p>
        <Button type="submit" look={invitations.made ? "plain" : "primary"} disabled={isMaking}>
          {invitations.made ? "Make another link" : "Make a link"}
        </Button>
      </form>
      <Problem text={invitations.problem} look="box" />
      {invitations.made && (
        <AccessLink
          key={invitations.made.id}
          {...invitations.made}
          name="The new invitation"
          hint={`It is shown only now. It works until ${formatMoment(invitations.made.expiresAt)}, or until somebody has used it.`}
        />
      )}
      <InvitationList invitations={invitations.list} onRevoke={invitations.revoke} />
    </div>
  );
}
