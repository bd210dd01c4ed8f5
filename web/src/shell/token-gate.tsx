import { type FormEvent, useState } from "react";
import { tokenInText } from "../api/token.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { Mark } from "./mark.tsx";

interface TokenGateProps {
  wasRefused: boolean;
  onToken: (token: string) => void;
}

/** Asks for the token when the link had none, or when the daemon did not accept it. */
export default function TokenGate({ wasRefused, onToken }: TokenGateProps) {
  const [text, setText] = useState("");
  const token = tokenInText(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (token) onToken(token);
  }

  return (
    <main className="grid h-full place-items-center overflow-y-auto bg-panel p-6">
      <form onSubmit={submit} className="w-full max-w-sm rounded-xl border bg-raised p-6 shadow-xs">
        <Mark className="size-9" />
        <h1 className="mt-4 font-semibold text-base">Open Interlingua</h1>
        <p className="mt-1 mb-5 text-muted-foreground">
          {wasRefused
            ? "That was not accepted. Use the link that Interlingua printed when it last started."
            : "Paste the link that Interlingua printed when it started."}
        </p>
        <Field
          label="Link"
          hint={
            <>
              <code className="font-mono">interlingua open --print</code> prints it again. What follows{" "}
              <code className="font-mono">#token=</code> is enough. It stays in the open tabs of this page
              only.
            </>
          }
        >
          {(ids) => (
            <TextInput
              {...ids}
              type="password"
              autoFocus
              spellCheck={false}
              placeholder="http://127.0.0.1:4111/#token=…"
              value={text}
              aria-invalid={wasRefused}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={!token} className="mt-4 w-full">
          Continue
        </Button>
      </form>
    </main>
  );
}
