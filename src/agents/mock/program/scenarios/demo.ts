/** What the mock does when a prompt names no scenario: a turn as a good agent would make it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WireChange, WireEventOf } from "../../wire.ts";
import { lookAround } from "../look-around.ts";
import { proposePlan } from "../propose-plan.ts";
import type { Turn } from "../turn.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { describeFiles } from "./describe-files.ts";

const NOTE = "interlingua-demo.md";
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
  await turn.pause(120);
}

async function read(turn: Turn): Promise<string> {
  const { path, content } = lookAround(process.cwd());
  await turn.text(`I begin with \`${path}\`.`);
  const call = await turn.startCall("read_file", { title: `Read ${path}`, kind: "read", input: { path } });
  await turn.pause(250);
  await call.output({ path, content });
  return path;
}

async function write(
  turn: Turn,
  request: string,
  found: string,
): Promise<"written" | "declined" | "planned"> {
  await turn.startStep();
  const { mode, permissions } = turn.session.configuration;
  if (mode === "plan" || permissions === "plan") {
    const { isApproved } = await proposePlan(turn, `Write ${NOTE}`, STEPS.slice(1));
    if (!isApproved) return "planned";
    turn.session.configure({ mode: "build", permissions: "ask" });
    return save(turn, request, found, true);
  }
  return save(turn, request, found, false);
}

async function save(
  turn: Turn,
  request: string,
  found: string,
  isApproved: boolean,
): Promise<"written" | "declined"> {
  const path = resolve(NOTE);
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const content = `${before ?? "# Notes of the mock agent\n\n"}- ${request} (I read \`${found}\`)\n`;
  const call = await turn.startCall("write_file", { title: `Write ${NOTE}`, kind: "edit" });
  await call.typeInput({ path: NOTE, content });
  const changes = [changeOf(before, content)];
  const verdict = isApproved ? { isAllowed: true } : await turn.permit(call, { changes });
  if (!verdict.isAllowed) return "declined";
  const after = editedContent(verdict.input) ?? content;
  writeFileSync(path, after);
  await turn.emit({ event: "file_changed", ...changeOf(before, after), call: call.id });
  await turn.pause(100);
  await call.output({ path: NOTE, bytes: Buffer.byteLength(after) });
  return "written";
}

function changeOf(before: string | undefined, after: string): WireChange {
  const change = before === undefined ? "created" : "changed";
  return { path: NOTE, change, diff: unifiedDiff(NOTE, before, after) };
}

/** What the person made of the input, if they changed it. */
function editedContent(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("content" in input)) return undefined;
  return typeof input.content === "string" ? input.content : undefined;
}

function closing(turn: Turn, request: string, found: string, outcome: string): string {
  const results: Record<string, string> = {
    written: `wrote a line about it into **${NOTE}**`,
    declined: `left **${NOTE}** alone, since you declined`,
    planned: `changed nothing, since the plan was not approved`,
  };
  return [
    "## Done\n",
    `You said: *${request}*${describeFiles(turn.prompt.files)}\n`,
    `- I read \`${found}\``,
    `- I ${results[outcome]}\n`,
    "I am the mock agent: no model was asked. Send `/help` to see what else I can play.",
  ].join("\n");
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "(nothing)";
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
