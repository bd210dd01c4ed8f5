import fc from "fast-check";
import { expect, test } from "vitest";
import { shellCommand } from "./shell-command.ts";

test("a command that a shell is given is shown without the shell", () => {
  expect(shellCommand("/bin/bash -lc 'ls -l'")).toBe("ls -l");
  expect(shellCommand('sh -c "echo \\"$HOME\\""')).toBe('echo "$HOME"');
});

test("nothing is lost: what comes after or before stays in sight", () => {
  for (const whole of ["bash -lc 'ls' && rm -rf x", "FOO=1 bash -c 'ls'", "bash -lc 'ls' 'rm'", "ls"]) {
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
