/**
 * A whole turn with nothing but `fetch`: makes a session, prompts it, prints the answer as it is written, and allows what
 * the agent asks for. For another language, this is what has to be written.
 *
 *   INTERLINGUA_TOKEN=… npx node examples/plain-fetch.ts http://127.0.0.1:4111 mock "Note what you find"
 */
const [url, agent, text] = process.argv.slice(2);
const token = process.env.INTERLINGUA_TOKEN;
if (!url || !agent || !text || !token) {
  console.error("usage: INTERLINGUA_TOKEN=… plain-fetch.ts URL AGENT PROMPT");
  process.exit(2);
}

/** The fields of an event that are used here; docs/reference/events.md has all of them. */
interface Event {
  type: string;
  delta?: string;
  ask?: string;
  kind?: string;
  title?: string;
  outcome?: string;
  parent?: string;
}

async function call(path: string, body: object): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  // Every refusal says what to do.
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  throw new Error(`${code}: ${detail}`);
}

const session = (await (await call("/v1/sessions", { agent })).json()) as { id: string };

// The prompt and the events of its turn in one request. The stream ends with the turn.
const stream = await call(`/v1/sessions/${session.id}/messages/stream`, { text });
let rest = "";
for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
  const frames = (rest + chunk).split("\n\n");
  rest = frames.pop() ?? "";
  for (const frame of frames) {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data !== undefined) await handle(JSON.parse(data));
  }
}

async function handle(event: Event): Promise<void> {
  // What a sub-agent says is not the agent's answer.
  if (event.type === "text.delta" && event.parent === undefined) process.stdout.write(event.delta ?? "");
  if (event.type === "text.end") process.stdout.write("\n");
  if (event.type === "ask.opened" && event.kind === "permission") {
    console.log(`[allowed: ${event.title}]`);
    await call(`/v1/sessions/${session.id}/asks/${event.ask}/reply`, { reply: "once" });
  }
  if (event.type === "turn.ended") {
    console.log(`[turn ${event.outcome}]`);
    process.exitCode = event.outcome === "completed" ? 0 : 1;
  }
}
