import { expect, test } from "vitest";
import { type LinkPlace, pageLink } from "./page-link.ts";

const LOCAL = {
  address: "http://127.0.0.1:4096",
  host: "127.0.0.1",
  allowedHosts: ["127.0.0.1"],
  request: {},
};

function linkOf(place: Partial<LinkPlace>): string {
  const { link, reachable, missing = [] } = pageLink("/join/CODE", { ...LOCAL, ...place });
  expect(link.endsWith("/#/join/CODE")).toBe(true);
  return `${link.slice(0, -"/#/join/CODE".length)} ${reachable} ${missing.map((text) => /--[a-z-]+|TLS/.exec(text)?.[0])}`;
}

test.each<[string, Partial<LinkPlace>, string]>([
  ["on loopback", {}, "http://127.0.0.1:4096 false --host,--allow-host,TLS"],
  [
    "on loopback, from the page there",
    { request: { host: "localhost:4096", origin: "http://localhost:4096" } },
    "http://127.0.0.1:4096 false --host,--allow-host,TLS",
  ],
  ["behind a proxy", { allowedHosts: ["127.0.0.1", "box.example"] }, "https://box.example true "],
  ["behind a proxy with a port", { allowedHosts: ["box.example:8443"] }, "https://box.example:8443 true "],
  [
    "behind a proxy, from the page there",
    { allowedHosts: ["a.example", "b.example"], request: { host: "b.example", origin: "https://b.example" } },
    "https://b.example true ",
  ],
  [
    "from a page of somebody else",
    { request: { host: "127.0.0.1:4096", origin: "https://evil.example" } },
    "http://127.0.0.1:4096 false --host,--allow-host,TLS",
  ],
  ["on every address", { host: "0.0.0.0", allowedHosts: ["box.local"] }, "http://box.local:4096 true TLS"],
  [
    "on one address",
    { host: "10.0.0.5", address: "http://10.0.0.5:4096", allowedHosts: ["10.0.0.5", "box.local:80"] },
    "http://10.0.0.5:4096 true TLS",
  ],
  [
    "on an address of IPv6",
    { host: "fd00::5", address: "http://[fd00::5]:4096", allowedHosts: ["[fd00::5]"] },
    "http://[fd00::5]:4096 true TLS",
  ],
])("%s", (_, place, expected) => {
  expect(linkOf(place)).toBe(expected);
});
