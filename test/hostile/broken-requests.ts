/** Requests that no client library would send, byte by byte, each on a connection of its own. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** `HOST` and `TOKEN` are put in; what follows `<pause>` comes a moment later, and the connection ends after the last byte. */
const GOOD = "Host: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\n";
const post = (rest: string) => `POST /v1/sessions HTTP/1.1\r\n${GOOD}${rest}`;
const get = (path: string, rest = "") => `GET ${path} HTTP/1.1\r\n${GOOD}${rest}\r\n`;

export const BROKEN_REQUESTS: Readonly<Record<string, string>> = {
  "two lengths": post("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
  "a length and chunks": post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  "a length below zero": post("Content-Length: -1\r\n\r\n{}"),
  "a length that is no number": post("Content-Length: 0x2\r\n\r\n{}"),
  "a length beyond everything": post(`Content-Length: ${"9".repeat(30)}\r\n\r\n{}`),
  "a length beyond the limit": post("Content-Length: 99999999999\r\n\r\n{}"),
  "a chunk that is no chunk": post("Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
  "a chunk beyond everything": post("Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}"),
  "chunks without an end": post("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
  "chunks coded twice": post("Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
  "a body that breaks off": post('Content-Length: 100\r\n\r\n{"agent":'),
  "a slow body": post('Content-Length: 40\r\n\r\n{<pause>"a<pause>gent<pause>'),
  "a body that says it is packed": post("Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"),
  "a body that waits to be asked for": post("Expect: 100-continue\r\nContent-Length: 2\r\n\r\n<pause>{}"),
  "an expectation nobody knows": post("Expect: magic\r\nContent-Length: 2\r\n\r\n{}"),
  "an upgrade": get("/v1/events/sse", "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
  "two hosts": get("/v1/sessions", "Host: elsewhere\r\n"),
  "two tokens": get("/v1/sessions", "Authorization: Bearer other\r\n"),
  "no host": "GET /v1/sessions HTTP/1.1\r\nAuthorization: Bearer TOKEN\r\n\r\n",
  "HTTP/1.0": "GET /v1/health HTTP/1.0\r\n\r\n",
  "HTTP/9.9": "GET /v1/health HTTP/9.9\r\nHost: HOST\r\n\r\n",
  "HTTP/2 without being asked": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "no version": "GET /v1/health\r\n\r\n",
  "a method nobody knows": `BREW /v1/sessions HTTP/1.1\r\n${GOOD}\r\n`,
  "a method in small letters": `get /v1/sessions HTTP/1.1\r\n${GOOD}\r\n`,
  "an address of another server": get("http://example.org/v1/sessions"),
  "an asterisk": `OPTIONS * HTTP/1.1\r\n${GOOD}\r\n`,
  "a NUL in the address": get("/v1/sessions/a\0b"),
  "a coded NUL in the address": get("/v1/sessions/%00"),
  "a broken code in the address": get("/v1/sessions/%zz?limit=%"),
  "half a character in the address": get("/v1/sessions/%e2%82"),
  "a way out of the address": get("/v1/sessions/..%2f..%2fetc"),
  "an address with slashes": get("//v1//sessions//"),
  "an address without end": get(`/v1/sessions/${"x".repeat(20_000)}`),
  "a query without end": get(`/v1/sessions?${"search=a&".repeat(1500)}`),
  "a header without end": get("/v1/sessions", `X-Long: ${"x".repeat(20_000)}\r\n`),
  "a thousand headers": get("/v1/sessions", "X-Many: 1\r\n".repeat(1200)),
  "a folded header": get("/v1/sessions", "X-Folded: a\r\n b\r\n"),
  "a header without a name": get("/v1/sessions", ": nothing\r\n"),
  "a header with a NUL": get("/v1/sessions", "X-Nul: a\0b\r\n"),
  "lines that end early": "GET /v1/health HTTP/1.1\nHost: HOST\n\n",
  "many at once": get("/v1/health").repeat(50),
  "one that hides in another": post(`Content-Length: 0\r\n\r\n${get("/v1/health")}`),
  "a handshake of TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "nothing but line ends": "\r\n".repeat(1000),
  "half a head": "GET /v1/sess",
  nothing: "",
};

/** What came back, until the daemon closed the connection or said nothing more for a while. */
export async function sendBytes(
  text: string,
  { url, token }: { url: string; token: string },
): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const piece of text.replaceAll("HOST", host).replaceAll("TOKEN", token).split("<pause>")) {
    socket.write(piece, "latin1");
    await sleep(15);
  }
  socket.end();
  const leave = setTimeout(() => socket.destroy(), 500);
  await closed;
  clearTimeout(leave);
  return answer;
}
