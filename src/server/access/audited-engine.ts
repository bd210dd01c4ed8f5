/** The engine with a note of each command that was carried out. What is noted says the definition of the command. */

import type { Engine } from "../../engine/engine.ts";
import { commandNamed } from "../../protocol/commands/index.ts";
import type { AuditSink } from "../people/audit-sink.ts";
import { interceptedEngine } from "./intercepted-engine.ts";

/** `now` gives milliseconds since the epoch. */
export function auditedEngine(engine: Engine, sink: AuditSink, now: () => number = Date.now): Engine {
  return interceptedEngine(engine, async (command, input, caller) => {
    const answer = await engine.run(command, input, caller);
    const { audit } = commandNamed(command);
    const note = audit === "none" ? undefined : audit(input, answer);
    if (!note) return answer;
    const { isDurable, action, session, detail } = note;
    const { token, role } = caller.access;
    const entry = {
      at: now(),
      by: caller.name,
      role,
      dialect: caller.dialect,
      action,
      outcome: "done" as const,
      ...(token !== undefined && { token }),
      ...(session !== undefined && { session }),
      ...(detail !== undefined && { detail }),
    };
    if (isDurable) await sink.write(entry);
    else sink.note(entry);
    return answer;
  });
}
