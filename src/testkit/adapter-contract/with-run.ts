/** What the checks share: a session that is closed in any case, and whose log and processes are looked at. */
import assert from "node:assert/strict";
import type { BackendAdapter, BackendSession, Forkable } from "../../core/adapter.ts";
import type { BackendCapabilities } from "../../core/capability.ts";
import { checkLog } from "../../core/check-log.ts";
import type { Command } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { ExtendedSession } from "../../core/extend-session.ts";
import { ownerOf } from "../../process/owner-marker.ts";
import { processTable } from "../../process/process-table.ts";
import { type RunOptions, type SessionRun, startRun } from "../session-run.ts";
import type { AdapterContract } from "./adapter-contract.ts";

let sessions = 0;

export function newSessionId(): string {
  sessions += 1;
  return `contract-${process.pid}-${sessions}`;
}

export async function openRun(
  contract: AdapterContract,
  adapter: BackendAdapter,
  options: Partial<RunOptions> = {},
): Promise<SessionRun> {
  const { deadlineMs } = contract;
  const given = { ...contract.connectOptions(), ...options };
  return startRun({ adapter, sessionId: newSessionId(), deadlineMs, ...given });
}

/** Opens a session, acts, closes it, and looks at what is left. */
export async function withRun(
  contract: AdapterContract,
  act: (run: SessionRun, adapter: BackendAdapter) => Promise<void>,
  options: Partial<RunOptions> = {},
): Promise<void> {
  const adapter = await contract.createAdapter();
  const run = await openRun(contract, adapter, options);
  try {
    await act(run, adapter);
  } catch (error) {
    await run.session.close();
    throw error;
  }
  await closeRun(contract, run);
}

export async function closeRun(contract: AdapterContract, run: SessionRun): Promise<void> {
  await endRun(contract, run);
  await assertNoProcess(run.session.sessionId);
}

/** Closes one of several sessions. What they share may go on until `closeRun` of the last, and no longer. */
export async function closeRunBefore(contract: AdapterContract, run: SessionRun): Promise<void> {
  if (contract.sharesProcesses) await endRun(contract, run);
  else await closeRun(contract, run);
}

async function endRun(contract: AdapterContract, run: SessionRun): Promise<void> {
  await inTime(contract, run.close(), "`messages` does not end after close()");
  assert.deepEqual(checkLog(run.events, { complete: true }), [], "the log is not well-formed");
}

export async function assertNoProcess(sessionId: string): Promise<void> {
  const running = await processTable.list();
  const left = running.filter(
    ({ marker, zombie }) => marker !== undefined && !zombie && ownerOf(marker).endsWith(`/${sessionId}`),
  );
  assert.deepEqual(
    left.map(({ pid }) => pid),
    [],
    "processes of the session still run",
  );
}

/** A capability has to be declared exactly when it works. */
export function assertDeclared(
  { capabilities }: BackendAdapter,
  capability: keyof BackendCapabilities,
  works: boolean,
  reason?: unknown,
): void {
  const isDeclared = capabilities[capability] === true;
  const why = reason === undefined ? "" : `: ${reason}`;
  assert.ok(works || !isDeclared, `"${capability}" is declared, but does not work${why}`);
  assert.ok(isDeclared || !works, `"${capability}" works, but is not declared`);
}

/** A method has to be there exactly when its capability is declared. */
export function assertMethod(
  session: BackendSession,
  method: keyof ExtendedSession | keyof Forkable,
  isDeclared: boolean,
): void {
  const isThere = method in session && session[method as keyof BackendSession] !== undefined;
  const complaint = isDeclared ? "missing, though declared" : "there, though not declared";
  assert.equal(isThere, isDeclared, `"${method}" is ${complaint}`);
}

/** What the agent has no words for is refused, and not passed over in silence. */
export async function assertRefused(session: BackendSession, command: Command): Promise<void> {
  const refusal = await outcomeOf(() => session.send(command));
  assert.ok(refusal, `${JSON.stringify(command)} was taken, though nothing declares it`);
  const code = InterlinguaError.isInstance(refusal) ? refusal.code : String(refusal);
  assert.equal(code, "unsupported", `${JSON.stringify(command)} was refused with the wrong code`);
}

/** The error, or undefined where there is none. */
export async function outcomeOf(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function inTime(
  { deadlineMs = 30_000 }: AdapterContract,
  happening: Promise<unknown>,
  complaint: string,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new assert.AssertionError({ message: complaint })), deadlineMs);
  try {
    await Promise.race([happening, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
