import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_ENGINE_LIMITS } from "../engine/limits.ts";
import { ConfigError } from "./config-error.ts";
import { resolveConfig } from "./resolve-config.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-config-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

function resolveWith(sources: {
  flags?: Record<string, unknown>;
  environment?: Record<string, string>;
  file?: unknown;
}) {
  const data = join(directory, "data");
  mkdirSync(data, { recursive: true });
  if (sources.file !== undefined) {
    const content = typeof sources.file === "string" ? sources.file : JSON.stringify(sources.file);
    writeFileSync(join(data, "config.json"), content);
  }
  return resolveConfig({
    flags: sources.flags ?? {},
    environment: { HOME: directory, INTERLINGUA_DATA: data, ...sources.environment },
    cwd: directory,
  });
}

function complaint(sources: Parameters<typeof resolveWith>[0]): string {
  try {
    resolveWith(sources);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("there was no complaint");
}

describe("defaults", () => {
  test("are those of a single user on one machine", () => {
    expect(resolveConfig({ flags: {}, environment: { HOME: "/home/me" }, cwd: directory })).toEqual({
      host: "127.0.0.1",
      port: 4111,
      data: "/home/me/.local/share/interlingua",
      token: undefined,
      formerToken: undefined,
      tokenFile: undefined,
      roots: [directory],
      sharedRoots: [],
      gitRoots: [],
      cwd: directory,
      corsOrigins: [],
      allowHosts: [],
      agent: undefined,
      checkpoints: "on",
      onLost: "stop",
      agentsmithyPort: undefined,
      agentsmithyWorkspace: undefined,
      agentsmithyKeepRunning: false,
      cluster: {},
      clusterInsecure: false,
      env: { pass: [] },
      agents: {},
      dialectModules: {},
      providers: {},
      notify: [],
      web: {},
      limits: {},
    });
  });

  test("take XDG_DATA_HOME, unless it is relative", () => {
    const dataFor = (XDG_DATA_HOME: string) =>
      resolveConfig({ flags: {}, environment: { HOME: "/home/me", XDG_DATA_HOME }, cwd: directory }).data;
    expect(dataFor("/data")).toBe("/data/interlingua");
    expect(dataFor("data")).toBe("/home/me/.local/share/interlingua");
  });

  test("begin sessions in the first root when the daemon was started outside of all", () => {
    expect(resolveWith({ flags: { root: ["/usr", "/opt"] } }).cwd).toBe("/usr");
    expect(resolveWith({ flags: { root: ["/usr", "."] } }).cwd).toBe(directory);
  });
});

describe("precedence", () => {
  const file = {
    port: 1,
    agent: "file",
    roots: ["code"],
    limits: { idleDetachMs: 5 },
    env: { pass: ["JAVA_HOME"] },
  };
  const environment = { INTERLINGUA_PORT: "2", INTERLINGUA_AGENT: "variable" };

  test("the file beats the default", () => {
    expect(resolveWith({ file })).toMatchObject({ port: 1, limits: file.limits, env: file.env });
  });

  test("a variable beats the file", () => {
    expect(resolveWith({ file, environment })).toMatchObject({ port: 2, agent: "variable" });
  });

  test("a flag beats a variable", () => {
    expect(resolveWith({ file, environment, flags: { port: "3" } })).toMatchObject({
      port: 3,
      agent: "variable",
    });
  });

  test("an empty variable is none", () => {
    expect(resolveWith({ file, environment: { INTERLINGUA_PORT: "" } }).port).toBe(1);
  });

  test("lists replace each other, variables are separated by commas", () => {
    const variables = { INTERLINGUA_ALLOW_HOST: "a.example, b.example:80" };
    expect(resolveWith({ file: { allowHosts: ["c"] }, environment: variables }).allowHosts).toEqual([
      "a.example",
      "b.example:80",
    ]);
  });

  test("--config names another file, whose paths are taken from where it is", () => {
    const elsewhere = join(directory, "elsewhere");
    mkdirSync(elsewhere);
    const path = join(elsewhere, "mine.json");
    writeFileSync(path, JSON.stringify({ tokenFile: "secret", roots: ["code", "~/other"], data: "kept" }));
    const config = resolveConfig({ flags: { config: path }, environment: { HOME: directory }, cwd: "/" });
    expect(config.tokenFile).toBe(join(elsewhere, "secret"));
    expect(config.roots[0]).toBe(join(elsewhere, "code"));
    expect(config.roots[1]).not.toContain("~");
    expect(config.data).toBe(join(elsewhere, "kept"));
  });

  test("a program of an agent that is a path is taken from where the file is, a name is left alone", () => {
    const commandOf = (command: string | string[]) =>
      resolveWith({ file: { agents: { claude: { command } } } }).agents.claude?.command;
    expect(commandOf("./bin/claude")).toEqual([join(directory, "data/bin/claude")]);
    expect(commandOf(["../claude", "--fast", "./here"])).toEqual([
      join(directory, "claude"),
      "--fast",
      "./here",
    ]);
    expect(commandOf("claude-beta")).toBe("claude-beta");
  });

  test("the token comes from its variable only", () => {
    expect(resolveWith({ environment: { INTERLINGUA_TOKEN: " abc " } }).token).toBe("abc");
    expect(complaint({ file: { token: "abc" } })).toContain("token: there is no such setting");
  });
});

test("every limit of the engine can be set in the file", () => {
  expect(resolveWith({ file: { limits: DEFAULT_ENGINE_LIMITS } }).limits).toEqual(DEFAULT_ENGINE_LIMITS);
});

describe("complaints name what is wrong", () => {
  test.each([
    [{ flags: { port: "http" } }, '--port: "http" is not a port'],
    [{ flags: { port: "70000" } }, '--port: "70000" is not a port. Give a number from 0 to 65535'],
    [{ environment: { INTERLINGUA_PORT: "-1" } }, 'INTERLINGUA_PORT: "-1" is not a port'],
    [
      { flags: { "cors-origin": ["https://a.example/x"] } },
      '--cors-origin: "https://a.example/x" cannot be used',
    ],
    [
      { environment: { INTERLINGUA_ALLOW_HOST: "http://a" } },
      'INTERLINGUA_ALLOW_HOST: "http://a" cannot be used',
    ],
    [{ flags: { config: "/nowhere.json" } }, "--config: there is no file /nowhere.json"],
    [{ file: "{ port: 1 }" }, "config.json: is not valid JSON"],
    [{ file: { port: "1" } }, "config.json: port: "],
    [{ file: { limits: { idleDetachMs: -1 } } }, "config.json: limits.idleDetachMs: "],
    [{ file: { limits: { connectTimeoutMs: 0 } } }, "config.json: limits.connectTimeoutMs: "],
    [{ file: { limits: { connectTimeoutMs: 2 ** 31 } } }, "config.json: limits.connectTimeoutMs: "],
    [
      { file: { connectTimeoutMs: 1 } },
      "connectTimeoutMs: there is no such setting; there is limits.connectTimeoutMs",
    ],
    [{ file: { limits: { idle: 1 } } }, "config.json: limits.idle: there is no such setting"],
    [{ file: { roots: ["/", 1] } }, "config.json: roots[1]: "],
    [{ file: { agents: { claude: { path: "x" } } } }, "agents.claude.path: there is no such setting"],
    [
      { file: { providers: { Box: {} } } },
      "providers.Box: must be a name of small letters, digits, ., _ and -",
    ],
    [
      { file: { providers: { box: { models: ["a"] } } } },
      "providers.box.url: is missing: give the address of its API, such as http://127.0.0.1:8000/v1",
    ],
    [
      { file: { providers: { box: { url: "ftp://x" } } } },
      "providers.box.url: must be a URL such as http://",
    ],
    [{ file: { agents: { claude: { command: [] } } } }, "config.json: agents.claude.command: "],
    [{ file: { agents: { claude: { install: "yes" } } } }, "config.json: agents.claude.install: "],
    [{ file: { agents: { claude: { env: { npm_x: "1" } } } } }, "config.json: agents.claude.env.npm_x: "],
    [{ file: '{"agents":{"__proto__":{"command":"x"}}}' }, "config.json: agents.__proto__: is no name"],
    [{ file: { data: "/elsewhere" } }, "config.json: data: a file inside the data directory cannot move it"],
  ])("%j", (sources, expected) => {
    expect(complaint(sources)).toContain(expected);
  });
});

test("a config file that is no JSON does not put its secrets on the screen", () => {
  const file = '{\n  "agents": { "claude": { "env": {\n    "ANTHROPIC_API_KEY": "sk-ant-secret" oops } } } }';
  const said = complaint({ file });
  expect(said).toContain("config.json: is not valid JSON; look at line 3, column 42.");
  expect(said).not.toMatch(/sk-ant|secret|KEY/);
});

describe("the port of AgentSmithy", () => {
  test("comes from flags, variables and the file, with paths from where each is", () => {
    const flags = {
      "agentsmithy-port": "0",
      "agentsmithy-workspace": "here",
      "agentsmithy-keep-running": true,
    };
    const environment = {
      INTERLINGUA_AGENTSMITHY_PORT: "8765",
      INTERLINGUA_AGENTSMITHY_WORKSPACE: "there",
      INTERLINGUA_AGENTSMITHY_KEEP_RUNNING: "off",
    };
    const file = { agentsmithyPort: 1, agentsmithyWorkspace: "../file", agentsmithyKeepRunning: true };
    const settings = (sources: Parameters<typeof resolveWith>[0]) => {
      const { agentsmithyPort, agentsmithyWorkspace, agentsmithyKeepRunning } = resolveWith(sources);
      return [agentsmithyPort, agentsmithyWorkspace, agentsmithyKeepRunning];
    };
    expect(settings({ flags, environment, file })).toEqual([0, join(directory, "here"), true]);
    expect(settings({ environment, file })).toEqual([8765, join(directory, "there"), false]);
    expect(settings({ file })).toEqual([1, join(directory, "file"), true]);
  });

  test("is named where it cannot be used", () => {
    expect(complaint({ flags: { "agentsmithy-port": "x" } })).toBe(
      '--agentsmithy-port: "x" is not a port. Give a number from 0 to 65535.',
    );
    expect(complaint({ environment: { INTERLINGUA_AGENTSMITHY_KEEP_RUNNING: "yes" } })).toBe(
      'INTERLINGUA_AGENTSMITHY_KEEP_RUNNING: "yes" cannot be used: must be on or off',
    );
    expect(complaint({ file: { agentsmithyKeepRunning: "on" } })).toMatch(/agentsmithyKeepRunning: /);
  });
});

describe("the address of a database", () => {
  const address = "postgres://me:sesame@db.example.com:5433/interlingua?sslmode=require";

  test("comes from flag, variable and file, a password only from the last two", () => {
    expect(resolveWith({}).store).toBeUndefined();
    expect(resolveWith({ environment: { INTERLINGUA_STORE: address } }).store).toBe(address);
    expect(resolveWith({ file: { store: address } }).store).toBe(address);
    const plain = "postgresql://me@db.example.com/interlingua";
    expect(resolveWith({ flags: { store: plain }, file: { store: address } }).store).toBe(plain);
    for (const store of [address, "postgres://db/x?password=sesame", "postgres://me:sesame@[/x"]) {
      const message = complaint({ flags: { store } });
      expect(message).toContain("INTERLINGUA_STORE");
      expect(message).toContain("`store` in the config file");
      expect(message).not.toContain("sesame");
    }
  });

  test("is not repeated where it cannot be used", () => {
    for (const wrong of ["mysql://me:sesame@host/db", "postgres://me:sesame@host", "sesame"]) {
      const messages = [
        complaint({ environment: { INTERLINGUA_STORE: wrong } }),
        complaint({ file: { store: wrong } }),
      ];
      for (const message of messages) {
        expect(message).toContain("must be the address of a database");
        expect(message).not.toContain("sesame");
      }
    }
  });
});
