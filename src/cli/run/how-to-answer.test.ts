import { expect, test } from "vitest";
import { wrapText } from "../word-wrap.ts";
import { type Answering, howToAnswer } from "./how-to-answer.ts";

const allow = { id: "allow", label: "Allow", effect: "once" } as const;
const base = { ask: "a1", kind: "permission", title: "Write b.txt", options: [allow] } as const;
type Shown = Parameters<typeof howToAnswer>[1];

const owner: Answering = {
  me: { role: "owner", rights: ["ask.question", "ask.permission"] },
  there: "",
};

function lines(more: Partial<Shown> = {}, answering = owner): string[] {
  return howToAnswer("s1", { ...base, options: [allow], ...more }, answering).split("\n");
}

test("what is asked can be seen before it is allowed: the plan, or the diff", () => {
  expect(lines({ description: "1. Read\n2. Write\n" }).slice(0, 3)).toEqual([
    "It asks: Write b.txt",
    "1. Read",
    "2. Write",
  ]);
  const changes = [{ path: "b.txt", kind: "created" as const, diff: "@@ -0,0 +1 @@\n+hello\n" }];
  expect(lines({ changes }).slice(1, 4)).toEqual(["b.txt", "@@ -0,0 +1 @@", "+hello"]);
});

test("of a long one the beginning is shown, and how much is missing", () => {
  const plan = Array.from({ length: 50 }, (_, index) => `${index}.`).join("\n");
  expect(lines({ description: plan }).slice(40, 42)).toEqual(["39.", "… 10 more lines"]);
});

test("what the title says is not said again", () => {
  expect(lines({ description: "Write b.txt" })).toHaveLength(2);
});

test("the commands go to the daemon that was named, without what else stands in its address", () => {
  const said = wrapText(lines({}, { ...owner, there: " --url http://127.0.0.1:4111" }).join("\n"), 200);
  expect(said).toContain("interlingua asks reply --url http://127.0.0.1:4111 s1 a1 once");
});

test("who may not answer gets no commands, but the role it needs", () => {
  const participant: Answering = { me: { role: "participant", rights: ["ask.question"] }, there: "" };
  expect(lines({}, participant).slice(1)).toEqual([
    "  Answering it needs the role operator, and this token has the role participant.",
  ]);
  const questions = [{ id: "q1", text: "Which?" }] as Shown["questions"];
  const asked = lines({ kind: "question", options: [], questions }, participant).join("\n");
  expect(wrapText(asked, 200)).toContain("interlingua asks reply s1 a1 --answer q1=TEXT");
});
