/** Sends one notification once, and says what came of it. Follows no redirect, and reads no answer. */
import { randomUUID } from "node:crypto";
import type { NotifyTarget } from "../../core/notify-target.ts";
import type { Notification } from "./notification.ts";
import { notificationRequest } from "./notification-request.ts";

export type SendOutcome =
  | { state: "delivered"; status: number }
  /** `isFinal`: another attempt would not help. */
  | { state: "failed"; isFinal: boolean; reason: string };

export interface SendOptions {
  /** The same for each attempt; a new one when absent. */
  id?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Never rejects. Reasons never hold the address: a hook's path is its password. */
export async function sendNotification(
  target: NotifyTarget,
  notification: Notification,
  { id = randomUUID(), signal, timeoutMs = TIMEOUT_MS }: SendOptions = {},
): Promise<SendOutcome> {
  const timestamp = Math.floor(Date.now() / 1000);
  const { url, headers, body } = notificationRequest(target, notification, { id, timestamp });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...{ method: "POST", headers, body, redirect: "manual" as const },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    await response.body?.cancel();
    return outcomeOf(response.status);
  } catch (error) {
    if (timeout.aborted) return failed(`no answer within ${timeoutMs / 1000} s`);
    return failed(reasonOf(error));
  }
}

function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { state: "delivered", status };
  if (status >= 300 && status < 400) {
    return failed(`answered ${status}, a redirect, which is not followed: give the final address`, true);
  }
  const isFinal = status < 500 && status !== 408 && status !== 425 && status !== 429;
  return failed(`answered ${status}`, isFinal);
}

function failed(reason: string, isFinal = false): SendOutcome {
  return { state: "failed", isFinal, reason };
}

/** The code of what lies below: `fetch failed` says nothing. */
function reasonOf(error: unknown): string {
  const { code } = ((error as { cause?: unknown })?.cause ?? error) as { code?: unknown };
  return typeof code === "string" ? `could not be reached (${code})` : "could not be reached";
}
