/** `interlingua completion SHELL`: the script that completes our commands there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../package-root.ts";
import type { CommandBody } from "../command.ts";
import { print } from "../output.ts";
import { UsageError } from "../usage-error.ts";

const SHELLS = ["bash", "zsh", "fish"];
const SCRIPTS = join(PACKAGE_ROOT, "src/cli/completion/scripts");

export const completion: CommandBody = {
  positionals: [SHELLS.join("|")],
  details: [
    'bash: eval "$(interlingua completion bash)" in ~/.bashrc',
    'zsh:  eval "$(interlingua completion zsh)" in ~/.zshrc, after compinit',
    "fish: interlingua completion fish > ~/.config/fish/completions/interlingua.fish",
  ].join("\n"),
  options: {},
  async run({ positionals }) {
    const shell = positionals[0]!;
    if (!SHELLS.includes(shell))
      throw new UsageError(`There is no completion for "${shell}". Use one of ${SHELLS.join(", ")}.`);
    print(readFileSync(join(SCRIPTS, `interlingua.${shell}`), "utf8").trimEnd());
    return 0;
  },
};
