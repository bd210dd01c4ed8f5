/**
 * What the code under the lock of a directory knows of it, wherever it is. Where nodes share the directory the lock can be
 * lost while somebody works: each change is confirmed before, and processes that work under it can be told by their
 * environment, so that they are stopped with this node's agents.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { HeldLock } from "../core/node-lock.ts";

export interface LockContext extends Pick<HeldLock, "confirm" | "isHeld"> {
  /** Of processes that work under the lock. */
  readonly environment: Readonly<Record<string, string>>;
}

const context = new AsyncLocalStorage<LockContext>();

export function underLock<Result>(lock: LockContext, action: () => Promise<Result>): Promise<Result> {
  return context.run(lock, action);
}

/** Undefined where the lock cannot be lost. Rejects once it is. */
export function confirmLock(): Promise<void> | undefined {
  return context.getStore()?.confirm();
}

/** At this very moment, as far as the clock of this machine tells. */
export function isLockHeld(): boolean {
  return context.getStore()?.isHeld() ?? true;
}

export function lockEnvironment(): Readonly<Record<string, string>> {
  return context.getStore()?.environment ?? {};
}
