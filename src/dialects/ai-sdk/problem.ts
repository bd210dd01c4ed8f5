/** The form of refusals for clients of the AI SDK. */
import type { AnyDialect } from "../dialect.ts";

/** Chat clients show the whole body of a refusal to the user, so the body is only the sentence. */
export const describeProblem: NonNullable<AnyDialect["describeProblem"]> = ({ detail, code }) => ({
  body: detail,
  headers: { "content-type": "text/plain; charset=utf-8", "x-interlingua-error": code },
});
