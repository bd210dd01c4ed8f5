/**
 * The page: files built from web/, served without a token since they hold no secret. The page gets everything it shows
 * from the API, with the token. The reference at `/docs` says what `/v1/openapi.json` says, which needs no token either.
 */
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Context, MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import { InterlinguaError } from "../core/error.ts";
import { PACKAGE_ROOT } from "../package-root.ts";
import { CompressedFiles, ENCODINGS, type Encoding } from "./compressed-files.ts";
import { checkHost } from "./guard/host-check.ts";
import type { AppEnvironment } from "./mount.ts";

export interface PageOptions {
  /** Known only once the server listens. */
  allowedHosts: () => ReadonlySet<string>;
  /** Makes the HTML of `/docs`; asked once. */
  reference: () => string;
  /** Where the built page lies. */
  directory?: string;
}

const BUILT = join(PACKAGE_ROOT, "web/dist");

/** The page shows agents' output, and a script in it could command agents. So nothing runs that we did not build. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  // The service worker. It keeps built files and sees no other request.
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** What is not compressed already. */
const COMPRESSED_TYPES: readonly string[] = [".html", ".js", ".css", ".svg", ".webmanifest"];

/** Not a file: it is made from the routes. */
const REFERENCE = "docs.html";

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Interlingua</title>
<h1>The page is not built</h1>
<p>Run <code>npm run build:web</code> in the directory of Interlingua, then reload.</p>
<p>The daemon itself works: see <a href="/docs">its routes</a>, or run <code>interlingua sessions</code>.</p>
</html>
`;

/** Mount it before the guard, which requires a token. The host is checked here too. */
export function page(options: PageOptions): MiddlewareHandler<AppEnvironment> {
  const { allowedHosts, reference, directory = BUILT } = options;
  const files = new CompressedFiles();
  let made: NonSharedBuffer | undefined;
  const read = async (name: string) => {
    if (name !== REFERENCE) return readFile(join(directory, name)).catch(() => undefined);
    made ??= Buffer.from(reference());
    return made;
  };
  return async (context, next) => {
    const { method, path } = context.req;
    const file = method === "GET" || method === "HEAD" ? fileAt(path) : undefined;
    if (!file) return next();
    checkHost(context.req.header("host"), allowedHosts());
    context.set("route", file.route);
    const found = await read(file.name);
    if (!found && file.route !== "/") throw new InterlinguaError("not_found", "The page has no such file.");
    const type = extname(file.name);
    const canCompress = COMPRESSED_TYPES.includes(type);
    const accepted = canCompress ? acceptedEncoding(context) : undefined;
    const { content, encoding, etag } = await files.send(found ?? Buffer.from(NOT_BUILT), accepted);
    const headers = {
      "content-security-policy": PAGE_POLICY,
      "cache-control": file.caching,
      etag,
      ...(canCompress && { vary: "Accept-Encoding" }),
    };
    if (isKnown(context.req.header("if-none-match"), etag)) return context.body(null, 304, headers);
    return context.body(content, 200, {
      ...headers,
      "content-type": TYPES[type] ?? "application/octet-stream",
      // Said here, so that `HEAD` says it too.
      "content-length": `${content.byteLength}`,
      ...(encoding && { "content-encoding": encoding }),
    });
  };
}

/** What the browser takes, by its preference and then by ours. */
function acceptedEncoding(context: Context): Encoding | undefined {
  const name = accepts(context, {
    header: "Accept-Encoding",
    supports: [...ENCODINGS],
    default: "identity",
    match: (given, { supports, default: none }) => {
      const weight = (type: string) =>
        (given.find((each) => each.type.toLowerCase() === type) ?? given.find((each) => each.type === "*"))
          ?.q ?? 0;
      const taken = supports.filter((type) => weight(type) > 0);
      return taken.toSorted((a, b) => weight(b) - weight(a))[0] ?? none;
    },
  });
  return ENCODINGS.find((encoding) => encoding === name);
}

/** Whether a browser has this content already. Weak and strong tags are equal here. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag.replace(/^W\//, ""));
}

/** Files with names that stay. */
const FILES: readonly string[] = [
  "/docs.css",
  "/favicon.svg",
  "/favicon-waiting.svg",
  "/icons/icon-192.png",
  "/icons/icon-512.png",
  "/icons/maskable-512.png",
  "/manifest.webmanifest",
  "/sw.js",
  "/theme.js",
];

/** Every path that `fileAt` may take. */
export const PAGE_PATHS: readonly string[] = ["/", "/docs", ...FILES, "/assets/{file}"];

/** The file of a path; undefined if it is not one of the page's. No pattern leads out of the folder. */
function fileAt(path: string): { name: string; route: string; caching: string } | undefined {
  if (path === "/") return { name: "index.html", route: "/", caching: "no-cache" };
  if (path === "/docs" || path === "/docs/") return { name: REFERENCE, route: "/docs", caching: "no-cache" };
  if (FILES.includes(path)) return { name: path.slice(1), route: path, caching: "no-cache" };
  // Their names carry a hash of their content.
  if (/^\/assets\/[\w-]+(?:\.[\w-]+)+$/.test(path))
    return { name: path.slice(1), route: "/assets", caching: "public, max-age=31536000, immutable" };
  return undefined;
}
