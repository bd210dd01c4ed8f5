/** What the mock does when a prompt names no scenario: a turn as a good agent would make it. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { unifiedDiff } from "../../../../core/unified-diff.ts";
import type { WireChange, WireEventOf } from "../../wire.ts";
import { lookAround } from "../look-around.ts";
import { proposePlan } from "../propose-plan.ts";
import { readIfThere } from "../read-text.ts";
import { textField } from "../text-field.ts";
import type { Turn } from "../turn.ts";
import { describeFiles } from "./describe-files.ts";

type Outcome = "written" | "declined" | "planned" | "failed";

const NOTE = "interlingua-demo.md";
const EXCERPT_LENGTH = 120;
const STEPS = ["Look around in the project", `Write down what I found in ${NOTE}`, "Sum up"];

export async function demo(turn: Turn): Promise<void> {
  const request = excerpt(turn.prompt.text);
  await turn.think(`The person says “${request}”. I look around first, then I write down what I found.`, {
    every: 30,
  });
  await showProgress(turn, 0);
  const found = await read(turn);
  await showProgress(turn, 1);
  const outcome = await write(turn, request, found);
  await showProgress(turn, 2);
  await turn.startStep();
  await turn.text(closing(turn, request, found, outcome), { every: 30 });
  await showProgress(turn, 3);
}

/** The step at `active` is being done, those before it are. */
async function showProgress(turn: Turn, active: number): Promise<void> {
  const items: WireEventOf<"todo">["items"] = STEPS.map((text, index) => ({
    text,
    state: index < active ? "done" : index === active ? "doing" : "open",
  }));
  await turn.emit({ event: "todo", items });
  await turn.pause(180);
}

async function read(turn: Turn): Promise<string> {
  const { path, content } = lookAround(process.cwd());
  await turn.text(`I begin with \`${path}\`.`);
  const call = await turn.startCall("read_file", { title: `Read ${path}`, kind: "read", input: { path } });
  await turn.pause(400);
  await call.output({ path, content });
  return path;
}

async function write(turn: Turn, request: string, found: string): Promise<Outcome> {
  await turn.startStep();
  const { mode, permissions } = turn.session.configuration;
  if (mode === "plan" || permissions === "plan") {
    const { isApproved } = await proposePlan(turn, `Write ${NOTE}`, STEPS.slice(1));
    if (!isApproved) return "planned";
    turn.session.configure({ mode: "build", ...(permissions === "plan" && { permissions: "ask" }) });
    return save(turn, request, found, true);
  }
  return save(turn, request, found, false);
}

async function save(turn: Turn, request: string, found: string, isApproved: boolean): Promise<Outcome> {
  const path = resolve(NOTE);
  const before = readIfThere(path);
  const withAdded = (added: string) => (before ?? "# Notes of the mock agent\n\n") + added;
  const added = `- ${request} (I read \`${found}\`)\n`;
  const call = await turn.startCall("write_file", { title: `Write ${NOTE}`, kind: "edit" });
  await call.typeInput({ path: NOTE, append: added });
  const changes = [changeOf(before, withAdded(added))];
  const verdict = isApproved ? { isAllowed: true } : await turn.permit(call, { changes });
  if (!verdict.isAllowed) return "declined";
  if ((textField(verdict.input, "path") ?? NOTE) !== NOTE) {
    await call.fail(`The mock writes to ${NOTE} only.`);
    return "failed";
  }
  const after = withAdded(textField(verdict.input, "append") ?? added);
  try {
    writeFileSync(path, after);
  } catch (error) {
    await call.fail(`${NOTE} could not be written: ${(error as Error).message}`);
    return "failed";
  }
  await turn.emit({ event: "file_changed", ...changeOf(before, after), call: call.id });
  await turn.pause(250);
  await call.output({ path: NOTE, bytes: Buffer.byteLength(after) });
  return "written";
}

function changeOf(before: string | undefined, after: string): WireChange {
  const change = before === undefined ? "created" : "changed";
  return { path: resolve(NOTE), change, diff: unifiedDiff(NOTE, before, after) };
}

function closing(turn: Turn, request: string, found: string, outcome: Outcome): string {
  const results: Record<Outcome, string> = {
    written: `wrote a line about it into **${NOTE}**`,
    declined: `left **${NOTE}** alone, since you declined`,
    planned: "changed nothing, since the plan was not approved",
    failed: `could not write **${NOTE}**`,
  };
  return [
    "## Done\n",
    `You said: *${request}*${describeFiles(turn.prompt.files)}\n`,
    `- I read \`${found}\``,
    `- I ${results[outcome]}\n`,
    "I am the mock agent: no model was asked. My command `/help` (`//help` in `interlingua chat`) lists what else I play.",
  ].join("\n");
}

function excerpt(text: string): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  if (characters.length === 0) return "(nothing)";
  if (characters.length <= EXCERPT_LENGTH) return characters.join("");
  return `${characters.slice(0, EXCERPT_LENGTH).join("")}…`;
}
