/** A small MCP server over stdio: its tool `ask` puts a form to the user and gives back what was filled in. */
import { createInterface } from "node:readline";

interface Message {
  id?: number | string;
  method?: string;
  params?: { protocolVersion?: string };
  result?: { action: string; content?: Record<string, unknown> };
}

const ASK = {
  name: "ask",
  description: "Asks the user",
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
};

const FORM = {
  message: "Where to?",
  requestedSchema: {
    type: "object",
    properties: {
      place: { type: "string", title: "Place", enum: ["here", "there"] },
      count: { type: "integer", title: "Count" },
      sure: { type: "boolean", title: "Sure" },
    },
    required: ["place"],
  },
};

const say = (message: object) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** The call that waits for the form. */
let waiting: number | string | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line) as Message;
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "form", version: "1.0.0" };
      say({
        id,
        result: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
      });
      break;
    }
    case "tools/list":
      say({ id, result: { tools: [ASK] } });
      break;
    case "tools/call":
      waiting = id;
      say({ id: "form", method: "elicitation/create", params: FORM });
      break;
    case undefined: {
      const { action, content = {} } = result ?? { action: "none" };
      const { place, count, sure } = content;
      const answer = JSON.stringify({ action, content: { place, count, sure } });
      say({ id: waiting, result: { content: [{ type: "text", text: answer }] } });
      break;
    }
    default:
      if (id !== undefined) say({ id, error: { code: -32601, message: "method not found" } });
  }
}
