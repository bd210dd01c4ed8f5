/**
 * A consumer of the UnifiedMessage protocol: sends one prompt, allows what the agent asks for, prints what it says, and
 * goes on after the last seq it saw when the connection breaks.
 *
 *   INTERLINGUA_TOKEN=… npx node examples/unified-client.ts http://127.0.0.1:4111 demo "scenario:approve"
 */
import { createUnifiedMessage, isUnifiedMessage, type UnifiedMessage } from "interlingua/unified";

const [baseUrl, session, text] = process.argv.slice(2);
const token = process.env.INTERLINGUA_TOKEN;
if (!baseUrl || !session || !text || !token) {
  console.error('usage: INTERLINGUA_TOKEN=… unified-client.ts URL SESSION "PROMPT"');
  process.exit(2);
}

/** One message, whose id never changes: sent twice, it is one prompt. */
const prompt = createUnifiedMessage({
  type: "user_message",
  role: "user",
  content: [{ type: "text", text }],
});
/** Where to go on, and which frames came already. */
let lastSeq = 0;
const seen = new Set<string>();
/** What the agent waits for, by request_id. */
const open = new Map<unknown, string>();
let isLive = false;
let isDone = false;

connect();

function connect(): void {
  const address = `${baseUrl!.replace(/^http/, "ws")}/v1/sessions/${session}/unified?after=${lastSeq}`;
  // As in a browser, which can send no header. The daemon answers with the first.
  const socket = new WebSocket(address, ["interlingua", `bearer.${token}`]);
  socket.onopen = () => socket.send(JSON.stringify(prompt));
  socket.onmessage = ({ data }) => {
    const { seq, message_id, payload } = JSON.parse(String(data));
    if (seq !== undefined) lastSeq = seq;
    if (seen.has(message_id) || !isUnifiedMessage(payload)) return;
    seen.add(message_id);
    read(payload, (message) => socket.send(JSON.stringify(message)));
    if (isDone) socket.close();
  };
  socket.onclose = ({ code, reason }) => {
    if (isDone) return;
    // Lost, or the daemon is restarted. All other codes say that coming back would not help.
    if (code === 1001 || (code === 1006 && lastSeq > 0)) return void setTimeout(connect, 500);
    console.error(`[closed with ${code}] ${reason}`);
    process.exitCode = 1;
  };
}

function read({ type, metadata, content }: UnifiedMessage, send: (message: UnifiedMessage) => void): void {
  const { inResponseTo } = metadata;
  switch (type) {
    case "stream_event":
      // Not what was said before: the history comes first.
      if (!isLive) return;
      for (const block of content) if (block.type === "text") process.stdout.write(block.text);
      return;
    case "permission_request":
      open.set(metadata.request_id, String(metadata.title));
      break;
    case "status_change":
      if (metadata.kind === "permission_answered" || metadata.kind === "permission_closed")
        open.delete(metadata.request_id);
      // The history has been told; what is open now is really open.
      if (metadata.kind === "capabilities") isLive = true;
      break;
    case "control_response":
      if (metadata.subtype !== "error" || inResponseTo !== prompt.id) return;
      console.error((metadata.error as { detail: string }).detail);
      process.exitCode = 1;
      isDone = true;
      return;
    case "result":
      if (inResponseTo !== prompt.id) return;
      console.log(`\n[${metadata.subtype}]`);
      isDone = true;
  }
  if (!isLive) return;
  for (const [request_id, title] of open) {
    console.log(`[allowed: ${title}]`);
    const metadata = { request_id, behavior: "allow" };
    send(createUnifiedMessage({ type: "permission_response", role: "user", metadata }));
  }
  open.clear();
}
