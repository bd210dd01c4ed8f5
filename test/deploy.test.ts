/** What deploy/ says fits the rest: files, flags, variables, routes and the times of a node. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { SERVE_OPTIONS } from "../src/cli/serve-options.ts";
import { DEFAULT_PORT } from "../src/config/config.ts";
import { SETTING_KEYS, SETTINGS } from "../src/config/settings.ts";
import { DEFAULT_ENGINE_LIMITS } from "../src/engine/limits.ts";
import { routes } from "../src/protocol/route-table.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "deploy");
const FILES = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
const YAML_FILES = FILES.filter((file) => file.endsWith(".yaml"));

function read(file: string): string {
  return readFileSync(join(FOLDER, file), "utf8");
}

// biome-ignore lint/suspicious/noExplicitAny: it is looked at, and not ours to describe
type Json = any;

function parse(file: string): Json[] {
  const documents = parseAllDocuments(read(file), { merge: true });
  return [...documents].map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Json;
  });
}

/** Everything in our files that matches, with the file. There has to be some. */
function found(pattern: RegExp): (readonly [file: string, text: string])[] {
  const all = FILES.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([text]) => [file, text] as const),
  );
  expect(all).not.toEqual([]);
  return all;
}

test("there are YAML files", () => {
  expect(YAML_FILES).not.toEqual([]);
});

test.each(YAML_FILES)("%s is YAML", (file) => {
  for (const document of parse(file)) expect(document).toBeTypeOf("object");
});

test("every variable of ours exists", () => {
  const known = new Set([
    ...SETTING_KEYS.map((key) => SETTINGS[key].variable),
    "INTERLINGUA_TOKEN",
    "INTERLINGUA_CLUSTER_SECRET",
    "INTERLINGUA_DEBUG",
  ]);
  for (const [file, name] of found(/INTERLINGUA_[A-Z_]+/g)) expect(known, `${file}: ${name}`).toContain(name);
});

test("every flag after serve exists", () => {
  const flags = new Set(Object.keys(SERVE_OPTIONS));
  const used = found(/\bserve\b.*/g).flatMap(([file, line]) =>
    [...line.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag]) => [file, flag!] as const),
  );
  // The local cluster alone gives its flags from a list.
  const lists = [...read("local-cluster.ts").matchAll(/\bflags(?: = \[|\.push\()(.*)[\])];/g)];
  const listed = lists.flatMap(([, list]) =>
    [...list!.matchAll(/"--([a-z-]+)"/g)].map(([, flag]) => ["local-cluster.ts", flag!] as const),
  );
  expect(listed.map(([, flag]) => flag)).toEqual(expect.arrayContaining(["port", "shared-root"]));
  for (const [file, flag] of [...used, ...listed]) expect(flags, `${file}: --${flag}`).toContain(flag);
});

test("every route exists", () => {
  const paths = new Set<string>(Object.values(routes).map(({ path }) => path));
  const named = FILES.flatMap((file) => [...read(file).matchAll(/\/v1\/[a-z/]+/g)].map(([path]) => path));
  expect(named.length).toBeGreaterThan(3);
  for (const path of named) expect(paths).toContain(path);
});

test("files of the repository that are named exist", () => {
  for (const [file, path] of found(/(?<![\w/])(?:deploy|docs|src|test|bin)\/[\w./-]*\w/g))
    expect(existsSync(join(ROOT, path)), `${file}: ${path}`).toBe(true);
});

describe("Dockerfile", () => {
  const text = read("Dockerfile");

  test("copies what is there, and what the package needs is not left out", () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, source]) => source!);
    expect(copied).not.toEqual([]);
    for (const source of copied) expect(existsSync(join(ROOT, source))).toBe(true);
    const { files, scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      files: string[];
      scripts: Record<string, string>;
    };
    const ignored = read("Dockerfile.dockerignore").split("\n").filter(Boolean);
    // What is built in the container, and nothing else that is published.
    expect(files.filter((path) => ignored.includes(path))).toEqual(["dist", "web/dist"]);
    for (const source of ["src", "web", "bin", "scripts", "schemas"]) expect(ignored).not.toContain(source);
    expect(scripts.prepack).toContain("build");
  });

  test("does not run as root, and ends by the signal that drains", () => {
    const user = [...text.matchAll(/^USER (\S+)/gm)].at(-1)?.[1];
    expect(user).toBe("node");
    expect(text).toContain("STOPSIGNAL SIGTERM");
  });

  test("its shell commands can be parsed", () => {
    const commands = [...text.replace(/\\\n/g, " ").matchAll(/^RUN (.*)$/gm)];
    expect(commands).not.toEqual([]);
    for (const [, command] of commands) execFileSync("/bin/sh", ["-n", "-c", command!]);
  });
});

const GRACE_SECONDS = DEFAULT_ENGINE_LIMITS.drainMs / 1000 + 45;

describe("compose.yaml", () => {
  const [compose] = parse("compose.yaml");
  const nodes = ["node-1", "node-2"].map((name) => compose.services[name]);

  test("nodes have names, addresses and data of their own, and the rest in common", () => {
    const [first, second] = nodes.map(({ environment }) => environment as Record<string, string>);
    const differing = Object.keys(first!).filter((name) => first?.[name] !== second?.[name]);
    expect(differing.sort()).toEqual(["INTERLINGUA_ADVERTISE", "INTERLINGUA_NODE_NAME"]);
    const data = nodes.map(({ volumes }) => volumes.find((volume: string) => volume.endsWith(":/data")));
    expect(new Set(data).size).toBe(2);
    for (const { environment } of nodes)
      expect(environment.INTERLINGUA_ADVERTISE).toBe(`http://${environment.INTERLINGUA_NODE_NAME}:4112`);
  });

  test("turns have the time to end", () => {
    for (const node of nodes)
      expect(Number.parseInt(node.stop_grace_period!, 10) * 60).toBeGreaterThan(GRACE_SECONDS);
  });

  test("the load balancer knows all nodes, and the nodes its name", () => {
    const { environment: names, volumes } = compose.services.proxy;
    expect(names).toEqual({ NODE_1: `node-1:${DEFAULT_PORT}`, NODE_2: `node-2:${DEFAULT_PORT}` });
    for (const name of Object.keys(names)) expect(read("haproxy.cfg")).toContain(`"\${${name}-`);
    expect(volumes[0]).toContain("./haproxy.cfg:");
    const [published] = compose.services.proxy.ports;
    const port = published.split(":")[1];
    for (const { environment } of nodes) expect(environment.INTERLINGUA_ALLOW_HOST).toBe(`localhost:${port}`);
  });
});

test.each(["nginx.conf", "haproxy.cfg"])("%s has no sticky sessions", (file) => {
  expect(read(file)).not.toMatch(/ip_hash|sticky|hash \$|balance source|cookie/);
});

describe.each(["deployment.yaml", "statefulset.yaml"])("kubernetes/%s", (file) => {
  const [workload] = parse(join("kubernetes", file));
  const pod = workload.spec.template.spec!;
  const [container] = pod.containers!;

  test("turns have the time to end", () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(GRACE_SECONDS);
  });

  test("it does not run as root", () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  });

  test("probes ask the right routes", () => {
    const { livenessProbe, readinessProbe } = container as Json;
    for (const [probe, path] of [
      [livenessProbe, "/v1/health/live"],
      [readinessProbe, "/v1/health/ready"],
    ] as const)
      expect(probe.httpGet).toEqual({ path, port: "http" });
  });

  test("volumes that are mounted exist, and the secret has what is needed", () => {
    const volumes = [...(pod.volumes ?? []), ...(workload.spec.volumeClaimTemplates ?? [])] as Json[];
    const names = volumes.map((volume) => (volume.name ?? volume.metadata.name) as string);
    expect(container.volumeMounts.map(({ name }: Json) => name).sort()).toEqual(names.sort());
    const [secret] = parse("kubernetes/secret.example.yaml");
    expect(container.envFrom[0].secretRef.name).toBe(secret.metadata.name);
    expect(Object.keys(secret.stringData!)).toEqual(
      expect.arrayContaining(["INTERLINGUA_TOKEN", "INTERLINGUA_CLUSTER_SECRET", "INTERLINGUA_STORE"]),
    );
  });

  test("services and policies select it", () => {
    const labels = workload.spec.template.metadata.labels;
    const services = parse("kubernetes/service.yaml");
    for (const { kind, spec } of services)
      expect(kind === "Service" ? spec.selector : spec.selector.matchLabels).toEqual(labels);
    const [policy] = parse("kubernetes/network-policy.yaml");
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    if (workload.kind === "StatefulSet")
      expect(services.map(({ metadata }) => metadata.name)).toContain(workload.spec.serviceName);
  });
});
