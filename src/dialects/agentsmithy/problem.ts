/** The form of refusals for clients of AgentSmithy. */
import type { AnyDialect } from "../dialect.ts";

export const describeProblem: NonNullable<AnyDialect["describeProblem"]> = ({ detail }) => ({
  body: JSON.stringify({ detail }),
  headers: { "content-type": "application/json" },
});
