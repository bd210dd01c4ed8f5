/** The invitations there are to a session, each with a way to take it back. */
import { useState } from "react";
import { useNow } from "../shell/use-now.ts";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { invitationState } from "./invitation-state.ts";
import type { ListedInvitation } from "./use-invitations.ts";

interface InvitationListProps {
  /** Undefined until they are known. */
  invitations: readonly ListedInvitation[] | undefined;
  onRevoke: (id: string) => Promise<void>;
}

export function InvitationList({ invitations, onRevoke }: InvitationListProps) {
  if (!invitations?.length) return null;
  return (
    <section aria-label="Invitations">
      <h3 className="mb-1 font-medium text-soft text-xs">Invitations</h3>
      <ul className="max-h-56 divide-y overflow-y-auto rounded-lg border">
        {invitations.toReversed().map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onRevoke={onRevoke} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  invitation: ListedInvitation;
  onRevoke: InvitationListProps["onRevoke"];
}

function Row({ invitation, onRevoke }: RowProps) {
  const now = useNow(30_000);
  const [isRevoking, setIsRevoking] = useState(false);
  const { id, role, usedAt } = invitation;
  const person = invitation.usedBy ?? invitation.name;
  const name = person === undefined ? role : `${clip(person, 80)} · ${role}`;
  async function revoke() {
    setIsRevoking(true);
    await onRevoke(id);
    setIsRevoking(false);
  }
  return (
    <li data-invitation={id} className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-[0.8125rem] first-letter:uppercase">{name}</p>
        <p className="truncate text-2xs text-muted-foreground">{invitationState(invitation, now)}</p>
      </div>
      <Button
        size="small"
        look="danger"
        disabled={isRevoking}
        aria-label={`${usedAt === undefined ? "Revoke the invitation" : "End access"}: ${name}`}
        onClick={revoke}
      >
        {usedAt === undefined ? "Revoke" : "End access"}
      </Button>
    </li>
  );
}
