import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeAddress } from "./node-address.ts";

let directory: string;
let files: { certificate: string; key: string };

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "il-address-"));
  files = { certificate: join(directory, "node.crt"), key: join(directory, "node.key") };
  for (const file of Object.values(files)) writeFileSync(file, `content of ${file}`);
});

afterAll(() => rmSync(directory, { recursive: true }));

function address(
  advertise?: string,
  cluster: Parameters<typeof nodeAddress>[0]["cluster"] = {},
  insecure = false,
) {
  return nodeAddress({ advertise, cluster, clusterInsecure: insecure });
}

describe("the address of a node", () => {
  it("is a free port of the loopback by default", () => {
    expect(address()).toEqual({ advertise: "http://127.0.0.1:0", host: "127.0.0.1", port: 0 });
  });

  it("is listened at as it is; for a name, at every address", () => {
    expect(address("http://[::1]:4112")).toMatchObject({ host: "::1", port: 4112 });
    expect(address("https://10.0.0.7:4112", files)).toMatchObject({ host: "10.0.0.7", port: 4112 });
    expect(address("https://box.internal", files)).not.toHaveProperty("host");
    expect(address("https://box.internal", files).port).toBe(443);
    const elsewhere = address("https://box.internal", { ...files, listen: "[::]:8443" });
    expect(elsewhere).toMatchObject({ advertise: "https://box.internal", host: "::", port: 8443 });
  });

  it("has a certificate where it is https", () => {
    const { tls } = address("https://box.internal:4112", files);
    expect(String(tls?.key)).toContain("node.key");
    expect(() => address("https://box.internal:4112")).toThrow('"cluster": {"certificate"');
    const missing = { ...files, ca: join(directory, "missing.crt") };
    expect(() => address("https://box.internal:4112", missing)).toThrow("cluster.ca: ");
  });

  it("is refused off the loopback without TLS, unless that is wanted", () => {
    for (const url of ["http://box.internal:4112", "http://10.0.0.7:4112", "http://0.0.0.0:0"]) {
      expect(() => address(url)).toThrow("--cluster-insecure");
      expect(address(url, {}, true).advertise).toBe(url);
    }
    expect(() => address("http://127.0.0.1:4112", { listen: "0.0.0.0:4112" })).toThrow("--cluster-insecure");
  });
});
