/** Which scenario a prompt asks for. */
import type { Play, Scenario } from "./scenario.ts";
import { COMPACT } from "./scenarios/compact.ts";
import { HELP } from "./scenarios/help.ts";
import { SCENARIOS } from "./scenarios/index.ts";

const COMMANDS: readonly Scenario[] = [HELP, COMPACT];

/**
 * The scenario named longest wins, so that `approve-two` is not taken for `approve`. Undefined when the prompt
 * names none; a name nobody knows makes the turn fail, since whoever wrote it expects something else.
 */
export function findScenario(prompt: string): Play | undefined {
  const command = COMMANDS.find(({ name }) => prompt.trim() === `/${name}`);
  if (command) return (turn) => command.play(turn, undefined);
  const mentions = [...prompt.matchAll(/scenario:([a-z][\w-]*)(?::([\w-]+))?/g)];
  if (mentions.length === 0) return undefined;
  const [chosen] = mentions
    .flatMap(([, name, argument]) => {
      const scenario = SCENARIOS.find((known) => known.name === name);
      return scenario ? [{ scenario, argument }] : [];
    })
    .sort((one, other) => other.scenario.name.length - one.scenario.name.length);
  if (chosen) return (turn) => chosen.scenario.play(turn, chosen.argument);
  return async (turn) => {
    turn.ending = { reason: "failed", error: unknownScenario(mentions[0]![1]!) };
  };
}

function unknownScenario(name: string) {
  const names = SCENARIOS.map((scenario) => scenario.name).join(", ");
  return { code: "unknown_scenario", message: `There is no scenario "${name}". There are: ${names}.` };
}
