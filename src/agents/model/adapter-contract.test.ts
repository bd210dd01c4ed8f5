import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeAdapterContract } from "../../testkit/adapter-contract/index.ts";
import { hang, slow, text, toolCall } from "../../testkit/scripted-model/index.ts";
import { withModel } from "./with-model.test-support.ts";

const PIXEL = "iVBORw0KGgo=";

const world = withModel({
  answer: [text("Hello.")],
  stream: [text(...Array.from({ length: 20 }, (_, index) => `word ${index} `))],
  endless: [text("I begin. "), hang("never")],
  write: [[toolCall("write_to_file", { path: "a.txt", content: "A\n" })], [text("Then.")]],
  question: [
    [toolCall("ask_user", { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] })],
    [text("Thanks.")],
  ],
  work: [
    [slow(100), text("I ", "work ", "for ", "a ", "while. "), toolCall("list_files", { path: "." })],
    [text("Worked.")],
  ],
});

const heard = () => JSON.stringify(world().model.requests.at(-1)?.body);

describeAdapterContract({
  name: "model",
  createAdapter: () => world().adapter(),
  connectOptions: () => ({ cwd: world().project }),
  failure: () => ({ options: { cwd: "/does/not/exist" } }),
  adapterOptions: { maxSteps: 20, compactAt: 100_000 },
  scenarios: {
    answer: { prompt: "[[answer]]", holds: (run) => run.text.includes("Hello.") },
    stream: { prompt: "[[stream]]" },
    endless: { prompt: "[[endless]]" },
    permission: {
      prompt: "[[write]]",
      isAllowed: () => heard().includes("write_file_result"),
      isDenied: () => !heard().includes("write_file_result"),
      edited: {
        change: (input) => ({ ...input, path: "b.txt", content: "B\n" }),
        holds: () => readFileSync(join(world().project, "b.txt"), "utf8") === "B\n",
      },
    },
    question: {
      prompt: "[[question]]",
      answer: ({ questions }) => ({ answers: { [questions![0]!.id]: ["Blue"] } }),
      holds: () => heard().includes("Blue") && heard().includes("ask_user_result"),
    },
    slashCommand: { prompt: "/compact", holds: (run) => run.of("compaction.ended").length > 0 },
    image: {
      prompt: "What is it? [[answer]]",
      files: [{ type: "file", url: `data:image/png;base64,${PIXEL}`, mediaType: "image/png" }],
      holds: () => heard().includes(PIXEL),
    },
    memory: {
      told: "The word is kestrel. [[answer]]",
      prompt: "Which word? [[answer]]",
      holds: () => heard().includes("kestrel") && heard().includes("Which word?"),
    },
    steering: {
      running: "[[work]]",
      prompt: "look at kestrels too",
      holds: () => heard().includes("look at kestrels too"),
    },
    model: {
      model: "anthropic/claude-haiku-4-5",
      prompt: "[[answer]]",
      holds: () => world().model.requests.at(-1)?.model === "claude-haiku-4-5",
    },
  },
});
