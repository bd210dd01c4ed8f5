/** What the two protocols of the hostile agent do not share: their examples, and how a prompt is read, answered and ended. */
import { ACP_ANSWERS, acpExamples } from "./acp-examples.ts";
import { MOCK_ANSWERS, MOCK_EXAMPLES } from "./mock-examples.ts";

export type WireName = "acp" | "mock";

export interface Wire {
  readonly examples: readonly object[];
  /** What is answered to a request of this method; undefined when it is refused. */
  answers: Readonly<Record<string, object>>;
  isPrompt(method: string): boolean;
  /** The text of a prompt. */
  textOf(params: unknown): string;
  answer(id: unknown, result: object | undefined): object;
  /** Says that a turn for the prompt begins, where that is said. */
  begin(params: unknown): object | undefined;
  /** Says that the turn is over, where the answer to the prompt does not. */
  end(): object | undefined;
  /** Whether a prompt is answered when its turn ends, not when it begins. */
  readonly answersAtEnd: boolean;
}

const ACP: Wire = {
  examples: acpExamples("hostile-session"),
  answers: ACP_ANSWERS,
  isPrompt: (method) => method === "session/prompt",
  textOf: (params) => JSON.stringify((params as { prompt?: unknown }).prompt),
  answer: (id, result) => ({
    jsonrpc: "2.0",
    id,
    ...(result ? { result } : { error: { code: -32601, message: "Method not found" } }),
  }),
  begin: () => undefined,
  end: () => undefined,
  answersAtEnd: true,
};

const MOCK: Wire = {
  examples: MOCK_EXAMPLES,
  answers: MOCK_ANSWERS,
  isPrompt: (method) => method === "prompt",
  textOf: (params) => String((params as { text?: unknown }).text),
  answer: (id, result) => ({
    id,
    ...(result ? { result } : { error: { code: "unknown", message: "No." } }),
  }),
  begin: (params) => ({
    event: "turn_started",
    turn: "t",
    prompt: (params as { prompt?: unknown }).prompt,
  }),
  end: () => ({ event: "turn_finished", turn: "t", reason: "done" }),
  answersAtEnd: false,
};

export const WIRES: Readonly<Record<WireName, Wire>> = { acp: ACP, mock: MOCK };
