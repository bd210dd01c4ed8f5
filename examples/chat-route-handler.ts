/**
 * A route handler between `useChat` in a browser and the daemon: `(request: Request) => Promise<Response>`, as Next.js,
 * Hono and others take it. The token stays on the server, and the server decides who may talk to which session.
 *
 * In Next.js, as app/api/chat/[[...path]]/route.ts:
 *
 *   export { handleChat as GET, handleChat as POST } from "@/lib/chat-route-handler";
 */

const DAEMON = process.env.INTERLINGUA_URL ?? "http://127.0.0.1:4111";

/** Headers that a browser may set for us; its cookies and its origin are not the daemon's business. */
const FORWARDED = ["accept", "content-type", "last-event-id"];

export async function handleChat(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const isChat = pathname === "/api/chat" || pathname.startsWith("/api/chat/");
  if (!isChat) return new Response("Not found", { status: 404 });

  // Here your application asks who this is, and whether the session is theirs.

  const headers = new Headers({ authorization: `Bearer ${process.env.INTERLINGUA_TOKEN}` });
  for (const name of FORWARDED) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const answer = await fetch(`${DAEMON}${pathname}${search}`, {
    method: request.method,
    headers,
    body: request.method === "POST" ? await request.text() : undefined,
    // When the browser leaves, so do we. The turn goes on.
    signal: request.signal,
  });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}
