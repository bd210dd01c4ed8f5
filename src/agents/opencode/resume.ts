/** The session of OpenCode that a connection resumes. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { requireResumeId } from "../transport/resume-id.ts";

/** Undefined for a new one. The server says whether it still exists. */
export function sessionToResume(connect: ConnectOptions): string | undefined {
  return requireResumeId("OpenCode", connect, /^ses_\w+$/);
}
