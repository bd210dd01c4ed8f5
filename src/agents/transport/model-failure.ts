/**
 * Why a model would not answer, in the codes and with the remedies that all agents share. Agents pass on what the model's
 * service said in words of their own: by a name, by the status of its answer, or only in a text.
 */
import type { TurnError } from "../../core/event.ts";
import { trimEndOf } from "../../core/trim-end-of.ts";

export type ModelFailureCode = keyof typeof FAILURES;

export interface ModelFailure {
  /** The agent's own name of it, where it is one of ours. */
  readonly code?: ModelFailureCode;
  /** Of the answer of the model's service. */
  readonly status?: number;
  /** What the agent says about it. */
  readonly said: string;
  /** What it is when neither the status nor the words tell. */
  readonly otherwise?: ModelFailureCode;
}

export interface FailingAgent {
  /** As people call it. */
  readonly title: string;
  /** A sentence: how somebody signs in. */
  readonly signIn: string;
}

interface Failure {
  readonly statuses: readonly number[];
  readonly words: RegExp;
  readonly remedy: (agent: FailingAgent) => string;
}

/** In this order: what comes first is the narrower one. */
const FAILURES = {
  context_full: {
    statuses: [],
    words:
      /prompt is too long|maximum context length|context (window|length) (is |was )?exceeded|context_length_exceeded|exceeds? (the |its )?(available )?context (window|size|length|limit)|input token count.*exceeds the maximum/i,
    remedy: () =>
      "The conversation no longer fits into the model. Compact it where the agent can, rewind it, or start a new session.",
  },
  agent_not_signed_in: {
    statuses: [],
    words:
      /not (logged|signed) in|no api key (was )?(found|provided|set)|(api key|credentials?) (is|are) missing|please run \/login/i,
    remedy: ({ title, signIn }) => `${title} has no credentials. ${signIn}`,
  },
  authentication_failed: {
    statuses: [401, 403],
    words:
      /(invalid|incorrect|expired|revoked) (x-)?api[- ]key|api[- ]key (is )?(not valid|invalid|expired)|authentication[_ ]error|unauthorized|token (has |is )?expired/i,
    remedy: ({ title, signIn }) => `The credentials of ${title} were refused. ${signIn}`,
  },
  rate_limited: {
    statuses: [429],
    words: /rate[-_ ]?limit|too many requests|usage limit|insufficient_quota|credit balance is too low/i,
    remedy: () => "Send the prompt again later, or choose another model or account.",
  },
  overloaded: {
    statuses: [503, 529],
    words: /overloaded/i,
    remedy: () => "This is usually temporary: send the prompt again in a moment.",
  },
} as const satisfies Record<string, Failure>;

/** Undefined where it is none of these. */
export function modelFailure(failure: ModelFailure, agent: FailingAgent): TurnError | undefined {
  const code = failure.code ?? findFailureCode(failure) ?? failure.otherwise;
  if (code === undefined) return undefined;
  const remedy = FAILURES[code].remedy(agent);
  const said = failure.said.trim();
  return { code, message: said === "" ? remedy : `${trimEndOf(said, /[.\s]/)}. ${remedy}` };
}

/** By the status of the answer and by the words alone. */
export function findFailureCode({
  status,
  said,
}: Pick<ModelFailure, "status" | "said">): ModelFailureCode | undefined {
  const known = Object.entries(FAILURES) as [ModelFailureCode, Failure][];
  const byStatus = known.find(([, { statuses }]) => statuses.includes(status ?? statusIn(said) ?? 0));
  // Both "there is no key" and "the key is wrong" are a 401.
  const byWords = known.find(([, { words }]) => words.test(said));
  if (byStatus?.[0] === "authentication_failed" && byWords?.[0] === "agent_not_signed_in") return byWords[0];
  return (byStatus ?? byWords)?.[0];
}

/** `401 {"type":"error"…`, `API Error: 529 …`, `unexpected status 401 Unauthorized`. */
function statusIn(said: string): number | undefined {
  const status = /(?:^|\b(?:status(?: code)?|error|http)[: ]+)([45]\d\d)\b/i.exec(said)?.[1];
  return status === undefined ? undefined : Number(status);
}
