/** Takes up an invitation: asks for a name, and exchanges the code for access to one session. */
import { type FormEvent, useState } from "react";
import { stranger } from "../api/client.ts";
import { isUnreachable, messageOf } from "../api/error-text.ts";
import type { Redeemed } from "../api/types.ts";
import { Mark } from "../shell/mark.tsx";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { joinProblem } from "./join-problem.ts";

interface JoinFormProps {
  code: string;
  /** Whether this tab can go on with the access it has. */
  hasAccess: boolean;
  onJoined: (redeemed: Redeemed) => void;
  onLeave: () => void;
}

export default function JoinForm({ code, hasAccess, onJoined, onLeave }: JoinFormProps) {
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>();
  const [isJoining, setIsJoining] = useState(false);
  const problem = error === undefined ? undefined : joinProblem(error);

  function join(event: FormEvent) {
    event.preventDefault();
    setIsJoining(true);
    setError(undefined);
    stranger()
      .call("POST /v1/invitations/redeem", { body: { code, name: name.trim() || undefined } })
      .then(onJoined, (reason: unknown) => {
        setError(reason);
        setIsJoining(false);
      });
  }

  return (
    <main className="grid h-full place-items-center overflow-y-auto bg-panel p-6">
      <div className="w-full max-w-sm rounded-xl border bg-raised p-6 shadow-xs">
        <Mark className="size-9" />
        {problem?.isFinal ? (
          <div role="alert">
            <h1 className="mt-4 font-semibold text-base">{problem.title}</h1>
            <p className="mt-1 text-muted-foreground leading-relaxed">{problem.text}</p>
          </div>
        ) : (
          <form onSubmit={join}>
            <h1 className="mt-4 font-semibold text-base">You are invited to a session</h1>
            <p className="mt-1 mb-5 text-muted-foreground leading-relaxed">
              An agent works there, and others watch it. Say who you are: your name stands beside what you do.
            </p>
            <Field label="Your name" hint="Letters, digits, spaces and . _ @ -">
              {(ids) => (
                <TextInput
                  {...ids}
                  autoFocus
                  required
                  maxLength={64}
                  autoComplete="name"
                  value={name}
                  aria-invalid={problem !== undefined && !isUnreachable(error)}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            {error !== undefined && (
              <Problem text={problem?.text ?? messageOf(error)} className="mt-3 leading-5" />
            )}
            <Button
              type="submit"
              look="primary"
              disabled={isJoining || name.trim() === ""}
              className="mt-4 w-full"
            >
              Join
            </Button>
            <p className="mt-3 text-2xs text-muted-foreground leading-4">
              The link can be used once. Your access is for this session only, and ends after a day at the
              latest.
            </p>
          </form>
        )}
        {(hasAccess || problem?.isFinal) && (
          <Button look={hasAccess ? "plain" : "ghost"} onClick={onLeave} className="mt-3 w-full">
            {hasAccess ? "Go on with the access I have" : "Use another link"}
          </Button>
        )}
      </div>
    </main>
  );
}
