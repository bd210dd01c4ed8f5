/** The data of a notice that says what the prompts of a session wait for, because its node was lost. */

export interface WaitingFor {
  readonly waitingFor: "node" | "agent";
  readonly name: string;
}

export function waitingFor(kind: WaitingFor["waitingFor"], name: string): WaitingFor {
  return { waitingFor: kind, name };
}

export function isWaitingFor(data: unknown): data is WaitingFor {
  return typeof data === "object" && data !== null && "waitingFor" in data;
}
