/** What goes to the agent and comes from it: pieces of text, images, slash commands. */
import type { SessionRun } from "../../session-run.ts";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertDeclared, outcomeOf, withRun } from "../with-run.ts";

export const content: Readonly<Record<string, AdapterCheck>> = {
  "streams text in pieces exactly where that is declared": (contract) =>
    withRun(contract, async (run, adapter) => {
      await run.turn(contract.scenarios.stream.prompt);
      assertDeclared(adapter, "streaming", hasPieces(run));
    }),

  "takes images exactly where that is declared": (contract) =>
    withRun(contract, async (run, adapter) => {
      const { prompt, files, holds } = contract.scenarios.image;
      const refusal = await outcomeOf(() => run.turn(prompt, { files }));
      assertDeclared(adapter, "images", refusal === undefined && holds(run), refusal);
    }),

  "has slash commands exactly where that is declared": (contract) =>
    withRun(contract, async (run, adapter) => {
      const { prompt, holds } = contract.scenarios.slashCommand;
      await run.turn(prompt);
      assertDeclared(adapter, "slashCommands", holds(run));
    }),
};

/** Whether a part of the text came in more than one piece. */
function hasPieces(run: SessionRun): boolean {
  const parts = run.of("text.delta").map(({ part }) => part);
  return new Set(parts).size < parts.length;
}
