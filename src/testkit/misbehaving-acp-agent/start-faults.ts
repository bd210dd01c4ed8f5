/** What can go wrong before an agent has a session. */
import type { Speaker } from "./speaker.ts";

export type StartFault =
  | "none"
  /** It leaves at once, with a word on stderr. */
  | "exits"
  /** It reads, and never answers. */
  | "silent"
  /** It prints what is no message, before and after every line. */
  | "noise"
  /** It refuses to be introduced. */
  | "refuses"
  /** It speaks a later version of the protocol. */
  | "later-version"
  /** It wants to be signed in. */
  | "wants-sign-in"
  /** It fails to load any session, and does not say why. */
  | "cannot-load"
  /** It offers `session/resume`, and tells the history again there as it does at `session/load`. */
  | "retells"
  /** It opens a session without an id. */
  | "no-session-id"
  /** It stays when its input ends and when it is asked to leave. */
  | "stays";

const NOISE = ["Welcome!", "{broken", '["a list"]', "42", ""];

/** Begins what is wrong from the first moment. True when there is no more to it. */
export function beginFault(fault: string, speaker: Speaker): boolean {
  switch (fault) {
    case "exits":
      process.stderr.write("there is no licence on this machine\n");
      process.exit(3);
      break;
    case "silent":
      process.stdin.resume();
      return true;
    case "noise":
      speaker.between = () => {
        for (const line of NOISE) process.stdout.write(`${line}\n`);
        process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
      };
      return false;
    case "stays":
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 60_000);
      return false;
    default:
      return false;
  }
}

export const LATER_VERSION = {
  protocolVersion: 2,
  info: { name: "misbehaving", version: "2.0.0" },
  capabilities: { session: {} },
};
