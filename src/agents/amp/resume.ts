/** Which of Amp's threads a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { requireResumeId } from "../transport/resume-id.ts";

/** Undefined for a new one. Whether it still exists, Amp says with the first turn. */
export function threadToResume(connect: ConnectOptions): string | undefined {
  return requireResumeId("Amp", connect, /^T-[\w-]+$/);
}
