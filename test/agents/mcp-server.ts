/** A small MCP server over stdio: `echo` gives a text back together with a variable of its environment. */
import { createInterface } from "node:readline";

interface Request {
  id?: number | string;
  method: string;
  params?: { protocolVersion?: string; arguments?: { text?: string } };
}

const ECHO = {
  name: "echo",
  description: "Gives a text back",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

function resultOf({ method, params }: Request): object | undefined {
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "echo", version: "1.0.0" };
      return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
    }
    case "tools/list":
      return { tools: [ECHO] };
    case "tools/call":
      return { content: [{ type: "text", text: `${process.env.ECHO_PREFIX}: ${params?.arguments?.text}` }] };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) continue;
  const result = resultOf(request);
  const error = { code: -32601, message: "method not found" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id: request.id, ...(result ? { result } : { error }) }));
}
