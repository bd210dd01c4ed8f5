/** Which of OpenCode's sessions a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { requireResumeId } from "../transport/resume-id.ts";

/** Undefined for a new one. Whether it still exists, the server says. */
export function sessionToResume(connect: ConnectOptions): string | undefined {
  return requireResumeId("OpenCode", connect, /^ses_\w+$/);
}
