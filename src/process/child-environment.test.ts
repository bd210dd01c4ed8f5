import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChildEnvironmentOptions, childEnvironment } from "./child-environment.ts";

function environment(options: Partial<ChildEnvironmentOptions>): Record<string, string> {
  return childEnvironment({
    parent: {},
    keys: [],
    pass: [],
    extra: {},
    owner: "daemon/session#1",
    ...options,
  });
}

describe("childEnvironment", () => {
  it("passes on what programs need to work in the person's setup", () => {
    const parent = {
      ...{ PATH: "/usr/bin:/bin", HOME: "/home/ada", SHELL: "/bin/zsh", USER: "ada", LOGNAME: "ada" },
      ...{ TERM: "xterm", TZ: "UTC", LANG: "C.UTF-8", LC_ALL: "C", LC_TIME: "de_DE" },
      ...{ TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp", XDG_CONFIG_HOME: "/home/ada/.config" },
      ...{ SSH_AUTH_SOCK: "/run/agent", HTTP_PROXY: "p", HTTPS_PROXY: "p", NO_PROXY: "n", ALL_PROXY: "a" },
      ...{ http_proxy: "p", https_proxy: "p", no_proxy: "n", all_proxy: "a" },
      ...{ SSL_CERT_FILE: "/f", SSL_CERT_DIR: "/d", NODE_EXTRA_CA_CERTS: "/e" },
    };
    expect(environment({ parent })).toEqual({ ...parent, INTERLINGUA_OWNER: "daemon/session#1" });
  });

  it("keeps out what nobody named", () => {
    const parent = { AWS_SECRET_ACCESS_KEY: "s", OPENAI_API_KEY: "k", LD_PRELOAD: "l", LANGUAGES: "x" };
    expect(environment({ parent })).toEqual({ INTERLINGUA_OWNER: "daemon/session#1" });
  });

  it("passes on the agent's own keys and the config's names, exact or by prefix", () => {
    const parent = {
      OPENAI_API_KEY: "k",
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE_URL: "b",
      JAVA_HOME: "j",
      OPENAI: "x",
    };
    expect(environment({ parent, keys: ["ANTHROPIC_*", "OPENAI_API_KEY"], pass: ["JAVA_HOME"] })).toEqual({
      OPENAI_API_KEY: "k",
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE_URL: "b",
      JAVA_HOME: "j",
      INTERLINGUA_OWNER: "daemon/session#1",
    });
  });

  it("leaves out what the agent does not want of a prefix, unless the config names it", () => {
    const parent = { CLAUDE_CONFIG_DIR: "c", CLAUDE_PID: "1", CLAUDE_CODE_SSE_PORT: "2" };
    const keys = ["CLAUDE_*", "!CLAUDE_PID", "!CLAUDE_CODE_SSE_PORT"];
    expect(environment({ parent, keys, pass: ["CLAUDE_CODE_SSE_PORT"] })).toEqual({
      CLAUDE_CONFIG_DIR: "c",
      CLAUDE_CODE_SSE_PORT: "2",
      INTERLINGUA_OWNER: "daemon/session#1",
    });
  });

  it("lets extra values win over the parent's", () => {
    expect(
      environment({ parent: { HOME: "/home/ada" }, extra: { HOME: "/tmp/home", NEW: "1" } }),
    ).toMatchObject({
      HOME: "/tmp/home",
      NEW: "1",
    });
  });

  it("never lets npm's settings, NODE_OPTIONS or our own variables through, whoever names them", () => {
    const names = fc.oneof(
      fc.constantFrom("INTERLINGUA_TOKEN", "NODE_OPTIONS", "npm_config_cache", "npm_lifecycle_event"),
      fc.stringMatching(/^(INTERLINGUA_|npm_)[A-Za-z_]{0,8}$/),
    );
    fc.assert(
      fc.property(fc.uniqueArray(names), (forbidden) => {
        const values = Object.fromEntries(forbidden.map((name) => [name, "secret"]));
        const patterns = [...forbidden, "*", "INTERLINGUA_*", "npm_*", "NODE_*"];
        const result = environment({ parent: values, keys: patterns, pass: patterns, extra: values });
        expect(result).toEqual({ INTERLINGUA_OWNER: "daemon/session#1" });
      }),
    );
  });

  it("takes npm's own entries out of PATH and keeps the order of the rest", () => {
    const entries = [
      "/project/node_modules/.bin",
      "/node_modules/.bin/",
      "/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin",
      "/usr/local/bin",
      "/home/ada/node_modules/.binaries",
      "/usr/bin",
    ];
    expect(environment({ parent: { PATH: entries.join(":") } }).PATH).toBe(
      "/usr/local/bin:/home/ada/node_modules/.binaries:/usr/bin",
    );
  });

  it("ends PATH with the directory of the daemon's Node, which is no second entry and no PATH by itself", () => {
    const nodeDirectory = "/opt/node/bin";
    const pathOf = (PATH: string) => environment({ parent: { PATH }, nodeDirectory }).PATH;
    expect(pathOf("/usr/bin")).toBe("/usr/bin:/opt/node/bin");
    expect(pathOf("/opt/node/bin:/usr/bin")).toBe("/opt/node/bin:/usr/bin");
    expect(pathOf("/project/node_modules/.bin")).toBeUndefined();
  });

  it("takes relative entries out of PATH: a program of the project would run in the place of the user's", () => {
    expect(environment({ parent: { PATH: ".:/usr/bin::tools" } }).PATH).toBe("/usr/bin");
  });

  it("leaves PATH out when only npm's entries were in it, since an empty one means the working directory", () => {
    expect(environment({ parent: { PATH: "/project/node_modules/.bin" } })).not.toHaveProperty("PATH");
  });
});
