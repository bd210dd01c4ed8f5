/**
 * chat-route-handler.ts as middleware for Express, or for anything else on `node:http`. Put it before a body parser:
 *
 *   const app = express();
 *   app.use(chatMiddleware);
 *   app.use(express.json());
 *
 * Run by itself it is a server on `node:http` alone:
 *
 *   INTERLINGUA_TOKEN=… npx node examples/express-server.ts 3000
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { handleChat } from "./chat-route-handler.ts";

export function chatMiddleware(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next: (error?: unknown) => void,
): void {
  if (!/^\/api\/chat(?:[/?]|$)/.test(incoming.url ?? "")) return next();
  answer(incoming, outgoing).catch((error) => {
    // Nothing can be said any more when the answer has begun, or when nobody is there.
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
    else next(error);
  });
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const left = new AbortController();
  outgoing.once("close", () => left.abort());
  const hasBody = incoming.method === "POST";
  const request = new Request(`http://localhost${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers as Record<string, string>,
    body: hasBody ? (Readable.toWeb(incoming) as ReadableStream) : undefined,
    duplex: hasBody ? "half" : undefined,
    signal: left.signal,
  } as RequestInit);
  const response = await handleChat(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body as never), outgoing);
  else outgoing.end();
}

if (import.meta.main) {
  const server = createServer((incoming, outgoing) =>
    chatMiddleware(incoming, outgoing, (error) => {
      outgoing.writeHead(error ? 502 : 404, { "content-type": "text/plain" });
      outgoing.end(error ? "The daemon does not answer.\n" : "Not found\n");
    }),
  );
  server.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => {
    const { port } = server.address() as { port: number };
    console.log(`http://127.0.0.1:${port}`);
  });
}
