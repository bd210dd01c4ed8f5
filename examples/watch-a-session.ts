/**
 * Watches one session: prints what the agent says, goes on after the last event it saw when the connection breaks, and
 * ends when the session is closed.
 *
 *   INTERLINGUA_TOKEN=… npx node examples/watch-a-session.ts http://127.0.0.1:4111 demo
 */
import { Interlingua, InterlinguaError, type SessionEvent } from "interlingua/sdk";

const [baseUrl, id] = process.argv.slice(2);
const token = process.env.INTERLINGUA_TOKEN;
if (!baseUrl || !id || !token) {
  console.error("usage: INTERLINGUA_TOKEN=… watch-a-session.ts URL SESSION");
  process.exit(2);
}

try {
  const interlingua = await Interlingua.connect({ baseUrl, token });
  const session = await interlingua.sessions.get(id);
  const events = session.events({
    onState: (stream) =>
      stream.state === "reconnecting" && console.error(`[the connection broke: ${stream.reason}]`),
  });
  for await (const event of events) show(event);
} catch (error) {
  if (!InterlinguaError.is(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function show(event: SessionEvent): void {
  // What a sub-agent says is not the agent's answer.
  if ("parent" in event && event.parent !== undefined) return;
  switch (event.type) {
    case "text.delta":
      process.stdout.write(event.delta);
      return;
    case "text.end":
      process.stdout.write("\n");
      return;
    case "tool.start":
      console.log(`[${event.title ?? event.name}]`);
      return;
    case "ask.opened":
      console.log(`[waits for a person: ${event.title}]`);
      return;
    case "turn.ended":
      console.log(`[turn ${event.outcome}]`);
      return;
    case "session.closed":
      console.log("[session closed]");
  }
}
