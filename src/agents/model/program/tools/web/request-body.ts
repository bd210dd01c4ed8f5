/**
 * Gets a body by http or https: redirects, compression and limits. Each name is looked up once for a hop, its addresses
 * are checked, and the connection goes to one of them and to nothing else.
 */
import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { ToolFailure } from "../tool-failure.ts";
import { isRefusedAddress } from "./refused-address.ts";
import { DEFAULT_WEB_LIMITS, type WebSettings } from "./web-settings.ts";

export interface BodyRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Throws `ToolFailure` for a body that is not wanted, before it is read. */
  assertWanted?(contentType: string): void;
}

export interface Body {
  readonly finalUrl: string;
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Whether there was more than the limit. */
  readonly isCut: boolean;
}

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_URL_LENGTH = 8000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export async function requestBody(request: BodyRequest, settings: WebSettings): Promise<Body> {
  const limits = { ...DEFAULT_WEB_LIMITS, ...settings.limits };
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    let url = webUrl(request.url);
    const { origin } = url;
    for (let hops = 0; ; hops += 1) {
      // A key is for the one it was meant for.
      const headers = url.origin === origin ? request.headers : undefined;
      const response = await open(url, headers ?? {}, signal, settings);
      try {
        const { location } = response.headers;
        const status = response.statusCode ?? 0;
        if (!REDIRECTS.has(status) || location === undefined)
          return await readBody(url, response, request, limits.maxBytes, signal);
        if (hops === MAX_REDIRECTS)
          throw new ToolFailure("too_many_redirects", `There are more than ${MAX_REDIRECTS} redirects.`);
        url = webUrl(location, url);
      } finally {
        response.destroy();
      }
    }
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (request.signal.aborted) throw new ToolFailure("aborted", "The request was stopped.");
    if (timeout.aborted)
      throw new ToolFailure("timeout", `There was no whole answer within ${limits.timeoutMs / 1000} s.`);
    throw new ToolFailure("request_failed", `The request failed: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Absolute, http or https, without a user's name. */
function webUrl(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text, base?.href) : null;
  const refuse = (reason: string) => {
    const what = base ? `The redirect to ${JSON.stringify(text.slice(0, 200))}` : "This URL";
    return new ToolFailure("invalid_argument", `${what} ${reason}.`);
  };
  if (!url) throw refuse("cannot be read. A URL looks like https://example.com/page");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refuse("is neither http nor https");
  if (url.username !== "" || url.password !== "") throw refuse("holds a user's name or password");
  return url;
}

async function open(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  settings: WebSettings,
): Promise<http.IncomingMessage> {
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = await withSignal(checkedAddresses(name, settings), signal);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const client = url.protocol === "https:" ? https : http;
  const request = client.get(url, {
    agent: false,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: { "user-agent": "Interlingua", "accept-encoding": "gzip, deflate, br", ...headers },
    // The addresses that were checked. Node does not ask for those of a name that is an address.
    lookup: (_name, options, callback) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    },
  });
  request.on("error", reject);
  request.on("response", (response) => {
    // Whoever reads it hears of it. Of one that is not read nobody wants to.
    response.on("error", () => {});
    resolve(response);
  });
  return promise;
}

/** Rejects when one of them is refused: which one is used would be left to chance. */
async function checkedAddresses(name: string, settings: WebSettings): Promise<readonly string[]> {
  const addresses = isIP(name) ? [name] : await (settings.resolve ?? systemAddresses)(name);
  if (addresses.length === 0) throw new Error(`${name} has no address`);
  const refused = addresses.find(isRefusedAddress);
  if (refused !== undefined && !settings.allowPrivate)
    throw new ToolFailure(
      "refused_address",
      `${name === refused ? name : `${name} leads to ${refused}, which`} is not a public address. Only public pages can be fetched.`,
    );
  return addresses;
}

async function systemAddresses(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

async function readBody(
  url: URL,
  response: http.IncomingMessage,
  request: BodyRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Body> {
  const contentType = response.headers["content-type"] ?? "";
  request.assertWanted?.(contentType);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decompressed(response, signal)) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the request.
    if (length > maxBytes) break;
  }
  return {
    finalUrl: url.href,
    status: response.statusCode ?? 0,
    contentType,
    bytes: Buffer.concat(chunks).subarray(0, maxBytes),
    isCut: length > maxBytes,
  };
}

function decompressed(response: http.IncomingMessage, signal: AbortSignal): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const decoder = decoderOf(encoding);
  if (!decoder) return response;
  response.on("error", (error) => decoder.destroy(error));
  signal.addEventListener("abort", () => decoder.destroy(signal.reason), { once: true });
  return response.pipe(decoder);
}

function decoderOf(encoding: string): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress | undefined {
  switch (encoding) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new ToolFailure(
        "unsupported_content",
        `The answer is compressed as ${JSON.stringify(encoding)}.`,
      );
  }
}

async function withSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** When all addresses of a name fail, the reasons are inside. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  return message || errors?.map((inner) => inner.message).join("; ") || code || "for no reason given";
}
