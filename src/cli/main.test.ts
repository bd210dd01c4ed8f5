import { describe, expect, test } from "vitest";
import { packageVersion } from "../config/package-version.ts";
import { COMMANDS, loadCommands } from "./commands.ts";
import { commandHelp } from "./help.ts";
import { run } from "./test-support.ts";

const commands = await loadCommands();

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]], [[]]])("interlingua %j lists the commands", async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const { name, summary } of COMMANDS)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
  });

  test.each(commands)("of $name says what its flags are", (command) => {
    const text = commandHelp(command);
    expect(text).toContain(`Usage: interlingua ${command.name}`);
    for (const [flag, { variable }] of Object.entries(command.options)) {
      expect(text).toContain(`--${flag}`);
      if (variable) expect(text).toContain(variable);
    }
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });

  test.each([[["token", "--help"]], [["token", "-h"]], [["help", "token"]]])(
    "interlingua %j lists the commands of that word",
    async (args) => {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Usage: interlingua token COMMAND");
      const family = COMMANDS.filter(({ name }) => name.startsWith("token "));
      expect(family.length).toBeGreaterThan(1);
      for (const { name, summary } of family)
        expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
    },
  );

  test("interlingua help COMMAND is the same", async () => {
    const [asked, flagged] = await Promise.all([
      run(["help", "db", "check"]),
      run(["db", "check", "--help"]),
    ]);
    expect(asked).toEqual(flagged);
    expect(asked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Usage: interlingua db check"),
      stderr: "",
    });
  });
});

test("--version prints the version", async () => {
  expect(await run(["--version"])).toEqual({ code: 0, stdout: `${packageVersion()}\n`, stderr: "" });
});

describe.concurrent("usage errors are one line that names the remedy, and exit code 2", () => {
  test.each([
    [["sevre"], 'Unknown command "sevre". Did you mean "serve"? interlingua --help'],
    [["frobnicate"], 'Unknown command "frobnicate". interlingua --help'],
    [["sessions", "shwo", "s1"], 'Unknown command "sessions shwo". Did you mean "sessions show"?'],
    [["--verbose"], "Unknown flag --verbose. interlingua --help"],
    [["db"], "db needs one more word: interlingua db check"],
    [["serve", "--prot", "1"], "Unknown flag --prot. Did you mean --port? interlingua serve --help"],
    [["serve", "--token", "abc"], "Unknown flag --token"],
    [["serve", "--port"], "--port needs a value: --port PORT"],
    [["serve", "--port", "--host"], "--port needs a value: --port PORT"],
    [["serve", "--port", "http"], '--port: "http" is not a port'],
    [["serve", "--port", "99999"], '--port: "99999" is not a port. Give a number from 0 to 65535'],
    [["serve", "extra"], 'Unexpected argument "extra"'],
    [["serve", "--data", ":memory:", "--root", "/nowhere"], "--root: /nowhere is not a directory"],
    [
      ["serve", "--data", ":memory:", "--host", "0.0.0.0"],
      "--host: 0.0.0.0 can be reached from other machines",
    ],
    [["serve", "--config", "/nowhere.json"], "--config: there is no file /nowhere.json"],
    [["sessions", "--json=yes"], "--json takes no value"],
    [["sessions", "--limit", "none"], '--limit: "none" is not a number'],
    [["sessions", "--status", "tired"], '--status: there is no status "tired". Use one of idle, running'],
    [["tail"], "tail needs SESSION. Usage: interlingua tail SESSION"],
    [["tail", "s1", "--after", "x"], '--after: "x" is not the seq'],
    [["asks", "reply", "s1", "a1", "--message", "hi"], "asks reply needs one of once, always, reject"],
    [["asks", "reply", "s1", "a1", "--answer", "yes"], '--answer: "yes" is not QUESTION=TEXT'],
    [["agents", "--url", "localhost:1"], '--url: "localhost:1" is not an address'],
    [["agents", "--url", "http://localhost:1"], "--url needs the daemon's token in INTERLINGUA_TOKEN"],
    [["agents", "--url", "http://localhost:1/#token=x"], "--url: others can see a token in a flag"],
    [["db", "check", "--data", ":memory:"], "--data: what is kept in memory has no data directory"],
  ])("%j", async (args, expected) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toContain(expected);
    expect(stderr).toMatch(/^interlingua: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("in a variable as well", async () => {
    const environment = { INTERLINGUA_LOG_LEVEL: "loud" };
    const { code, stderr } = await run(["serve", "--data", ":memory:"], { environment });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("INTERLINGUA_LOG_LEVEL: ") });
  });
});

describe("other failures are one line and exit code 1", () => {
  const args = ["sessions", "--data", "/nonexistent/interlingua"];

  test("without a stack trace", async () => {
    expect(await run(args)).toEqual({
      code: 1,
      stdout: "",
      stderr: "interlingua: No daemon runs on /nonexistent/interlingua. Start one with: interlingua serve\n",
    });
  });

  test("unless it is asked for", async () => {
    const { code, stderr } = await run(args, { environment: { INTERLINGUA_DEBUG: "1" } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/find-daemon[-\w]*\.[jt]s/) });
  });

  test("also when nobody answers at the address given", async () => {
    const environment = { INTERLINGUA_URL: "http://127.0.0.1:9", INTERLINGUA_TOKEN: "x" };
    const { code, stderr } = await run(["asks"], { environment });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("No answer from http://127.0.0.1:9"),
    });
  });
});
