import { expect, it } from "vitest";
import { runningProgram } from "./running-program.ts";

const run = (executable: string, ...args: string[]) =>
  runningProgram(executable, args, (argument) => (argument.includes("/") ? argument : undefined));

it.each([
  "/usr/bin/node",
  "/usr/bin/node-22",
  "/usr/bin/nodejs",
  "/usr/bin/php8.2",
  "/usr/bin/ruby3.1",
  "/usr/bin/python3.12",
  "/usr/bin/java",
  "/opt/an-interpreter-nobody-knows",
])("an agent and a server that both run by %s do not pass for the same program", (executable) => {
  const [agent, helper, server] = [
    run(executable, "/agent.js", "--acp"),
    run(executable, "/agent.js", "--hub"),
    run(executable, "/srv/server.js"),
  ];
  expect(agent?.name).toBe(helper?.name);
  expect(agent?.name).not.toBe(server?.name);
});

it("a script is the same program whichever version of its interpreter runs it", () => {
  expect(run("/usr/bin/node-22", "--flag", "/agent.js", "--acp")).toEqual({
    name: "/agent.js",
    args: ["--acp"],
  });
  expect(run("/usr/bin/node", "/agent.js", "--acp")).toEqual({ name: "/agent.js", args: ["--acp"] });
});

it("a program of its own is known by its file, and keeps all its arguments", () => {
  expect(run("/opt/agent", "acp", "--port")).toEqual({ name: "/opt/agent", args: ["acp", "--port"] });
  expect(run("/opt/agent", "/etc/config")?.args).toEqual(["/etc/config"]);
});

it("an interpreter without a script is no program that two processes have in common", () => {
  expect(run("/usr/bin/node-22", "-e", "1")).toBeUndefined();
  expect(run("/bin/bash")).toBeUndefined();
});
