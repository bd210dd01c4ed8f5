/** A refusal of the daemon, or a daemon that cannot be reached. */
import type { Problem } from "../../../src/protocol/schemas/problem.ts";

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly problem: Partial<Problem> | undefined;

  constructor(status: number, problem: Partial<Problem> | undefined) {
    super(problem?.detail ?? `The daemon answered with status ${status}.`);
    this.status = status;
    this.code = problem?.code ?? "unknown";
    this.problem = problem;
  }
}

/** Whether the request never got an answer. Browsers differ in what `fetch` throws, but it is a TypeError. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError;
}

export function messageOf(error: unknown): string {
  if (isUnreachable(error)) return "The daemon cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}
