import { describeAdapterContract } from "../../testkit/adapter-contract/index.ts";
import { withMock } from "./with-mock.test-support.ts";

const mock = withMock();

const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

describeAdapterContract({
  name: "mock",
  createAdapter: () => mock().adapter,
  // Not 0: a turn has to last long enough to be steered.
  connectOptions: () => ({ cwd: mock().directory, adapterOptions: { pace: 0.2 } }),
  failure: () => ({ options: { cwd: "/does/not/exist" } }),
  adapterOptions: { pace: 0 },
  scenarios: {
    answer: { prompt: "scenario:text", holds: (run) => run.text.includes("Hello from the mock agent.") },
    stream: { prompt: "scenario:burst:20" },
    endless: { prompt: "scenario:hang" },
    permission: {
      prompt: "scenario:approve",
      isAllowed: (run) => run.text.includes("passed-1 "),
      isDenied: (run) => run.text.includes("skipped-1 "),
      edited: {
        change: () => ({ command: "npm run lint" }),
        holds: (run) =>
          run.of("tool.output").some(({ output }) => JSON.stringify(output).includes("npm run lint")),
      },
    },
    question: {
      prompt: "scenario:question",
      answer: () => ({ answers: { q1: ["Green"] } }),
      holds: (run) => run.text.includes("You chose: Green."),
    },
    slashCommand: { prompt: "/help", holds: (run) => run.text.includes("scenario:") },
    image: {
      prompt: "scenario:text",
      files: [{ type: "file", url: PIXEL, mediaType: "image/png", filename: "pixel.png" }],
      holds: (run) => run.text.includes("pixel.png"),
    },
    memory: {
      told: "scenario:text the word is kestrel",
      prompt: "scenario:recall",
      holds: (run) => run.text.includes("kestrel"),
    },
    steering: {
      running: "scenario:long",
      prompt: "look at kestrels too",
      holds: (run) => run.text.includes("I change course: look at kestrels too"),
    },
    background: { prompt: "scenario:server" },
    model: {
      model: "mock-small",
      prompt: "scenario:text",
      holds: (run) => run.of("usage").at(-1)?.model === "mock-small",
    },
  },
});
