/**
 * Every mode, setting, value, command and option of an ask of all recordings by the reviewed rules of its agent. A recording with a new one fails
 * until it was reviewed: put it into src/agents/asking-rules.ts, run this with -u and read what changed.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { ASKING_RULES } from "../../src/agents/asking-rules.ts";
import { AGENT_NAMES, PROTOCOLS } from "../../src/agents/registry.ts";
import type { AskOption } from "../../src/core/ask.ts";
import { changeAsks, optionAsks } from "../../src/core/asks-permission.ts";
import { emptyState, evolve } from "../../src/core/index.ts";
import { findCommand } from "../../src/core/prompt-commands.ts";
import type { SessionState } from "../../src/core/session-state.ts";
import { readRecordingText, recordingsOf, replay } from "./support.ts";

const FOLDERS = ["acp", "amp", "claude", "codex", "model", "opencode"];

/** The agent of a recording. Those of no preset are judged by their own words only. */
function agentOf(folder: string, name: string): string {
  if (folder !== "acp") return folder;
  const preset = AGENT_NAMES.filter((agent) => name.startsWith(`${agent}-`)).sort(
    (a, b) => b.length - a.length,
  )[0];
  return preset === "opencode"
    ? "opencode-acp"
    : (preset ?? /^(?:sample-agent|zed-codex-acp|[a-z]+)/.exec(name)![0]);
}

/** One line for each mode, value and command of a session, with what the rules say. */
function judge(agent: string, state: SessionState): string[] {
  const asking = ASKING_RULES[agent];
  const capabilities = PROTOCOLS.get(agent)?.capabilities ?? { permissions: true, slashCommands: true };
  const { mode, permissionMode, modes = [], settings = [], commands = [] } = state;
  const known = { capabilities, asking };
  const asks = (wanted: Parameters<typeof changeAsks>[2]) =>
    changeAsks(known, { modes, settings }, wanted).asks;
  const isReviewed = (table: object | undefined, id: string) =>
    asking === undefined || !capabilities.permissions || (table !== undefined && Object.hasOwn(table, id));
  const lines: string[] = [];
  const add = (what: string, answer: string, reviewed: boolean) =>
    lines.push(`${agent} ${what}: ${answer}${reviewed ? "" : " (nobody has reviewed it)"}`);
  for (const id of new Set([...modes.map((each) => each.id), ...(mode === undefined ? [] : [mode])]))
    add(`mode ${id}`, asks({ mode: id }), isReviewed(asking?.modes, id));
  if (permissionMode !== undefined)
    add(
      `permission mode ${permissionMode}`,
      asks({ permissionMode }),
      isReviewed(asking?.permissionModes, permissionMode),
    );
  for (const { id, value, choices, category } of settings) {
    const values: (string | boolean)[] =
      typeof value === "boolean" ? [true, false] : [...(choices ?? []).map((choice) => choice.id), value];
    // Which models and efforts there are changes from day to day.
    const isHarmless = ["model", "model_config", "thought_level"].includes(category ?? "");
    const rules = asking?.settings?.[id];
    for (const each of new Set(values)) {
      const reviewed =
        isHarmless || typeof rules === "string" || isReviewed(rules, String(each)) || isReviewed(rules, "*");
      const what = typeof rules === "string" || isHarmless ? `setting ${id}` : `setting ${id}=${each}`;
      add(what, asks({ settings: { [id]: each } }), reviewed);
    }
  }
  for (const { name } of commands) {
    const parts = [{ type: "text" as const, text: name.startsWith("$") ? name : `/${name}` }];
    add(`command ${name}`, findCommand(parts, { offered: commands, asking, hasCommands: true })!.right, true);
  }
  return lines;
}

/** The options that allow more than one act. */
function judgeOptions(
  agent: string,
  { modes, settings }: SessionState,
  options: readonly AskOption[],
): string[] {
  const capabilities = PROTOCOLS.get(agent)?.capabilities ?? { permissions: true, slashCommands: true };
  const known = { capabilities, asking: ASKING_RULES[agent] };
  const isSuggestion = (id: string) => id.startsWith("suggestion-");
  return options
    .filter(({ effect }) => effect === "always" || effect === "other")
    .map((option) => {
      const what = isSuggestion(option.id) ? option.label : option.id;
      return `${agent} option ${what}: ${optionAsks(known, { modes, settings }, option).asks}`;
    });
}

test("every mode, setting, command and option of all recordings was reviewed", async () => {
  const lines = new Set<string>();
  for (const folder of FOLDERS) {
    const protocol = PROTOCOLS.get(folder)!;
    for (const name of recordingsOf(folder)) {
      const agent = agentOf(folder, name);
      const state = emptyState("fixture");
      for (const event of replay(protocol, readRecordingText(folder, name))) {
        evolve(state, event);
        if (event.type === "ask.opened")
          for (const line of judgeOptions(agent, state, event.options)) lines.add(line);
        if (event.type !== "session.attached" && event.type !== "session.updated") continue;
        for (const line of judge(agent, state)) lines.add(line);
      }
    }
  }
  const sorted = [...lines].sort();
  expect(sorted.filter((line) => line.endsWith("(nobody has reviewed it)"))).toEqual([]);
  await expect(`${sorted.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "../fixtures/asking.txt"),
  );
});

test("every agent has reviewed rules", () => {
  expect(Object.keys(ASKING_RULES).sort()).toEqual([...AGENT_NAMES].sort());
});
