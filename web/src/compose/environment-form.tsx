/** Asks for the environment values of a session again: they are kept in memory only, so a restart forgets them. */
import { type FormEvent, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { messageOf } from "../api/error-text.ts";
import type { Details } from "../chat/use-details.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { clip } from "../ui/format.ts";
import { Problem } from "../ui/problem.tsx";

export default function EnvironmentForm({ details, names }: { details: Details; names: readonly string[] }) {
  const { can } = useAccess();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    setIsSending(true);
    setProblem(undefined);
    details
      .update({ env: Object.fromEntries(names.map((name) => [name, values[name] ?? ""])) })
      .catch((error) => setProblem(messageOf(error)))
      .finally(() => setIsSending(false));
  }

  if (!can("session.program"))
    return (
      <p className="mb-2 rounded-lg border border-waiting-border bg-waiting-soft px-3 py-2.5 text-xs leading-5">
        The daemon was restarted, and the environment values of this session are not kept on disk. It goes on
        when the owner gives them again.
      </p>
    );
  return (
    <form
      onSubmit={submit}
      aria-label="Environment values"
      className="mb-2 max-h-[40dvh] overflow-y-auto rounded-lg border border-waiting-border bg-waiting-soft px-3 py-2.5"
    >
      <p className="mb-2 text-xs leading-5">
        The daemon was restarted, and the environment values of this session are not kept on disk. Give them
        again to go on.
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        {names.map((name) => (
          <Field key={name} label={clip(name, 80)}>
            {(ids) => (
              <TextInput
                {...ids}
                type="password"
                spellCheck={false}
                value={values[name] ?? ""}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Problem text={problem} className="mt-2" />
      <Button type="submit" look="primary" size="small" disabled={isSending} className="mt-2.5">
        Use these values
      </Button>
    </form>
  );
}
