/** The thread of Amp that a connection resumes. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { requireResumeId } from "../transport/resume-id.ts";

/** Undefined for a new one. The first turn shows whether it still exists. */
export function threadToResume(connect: ConnectOptions): string | undefined {
  return requireResumeId("Amp", connect, /^T-[\w-]+$/);
}
