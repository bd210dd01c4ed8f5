import { describeAdapterContract } from "../../testkit/adapter-contract/index.ts";
import { withMadeUpAgent } from "./made-up-agent.test-support.ts";

const agent = withMadeUpAgent();

describeAdapterContract({
  name: "acp",
  createAdapter: () => agent().adapter(),
  connectOptions: () => ({ cwd: agent().directory }),
  failure: () => ({ adapter: agent().adapter({ fault: "exits" }) }),
  adapterOptions: { files: true, terminals: true },
  scenarios: {
    answer: { prompt: "text", holds: (run) => run.text.includes("Hello from the agent.") },
    stream: { prompt: "stream" },
    endless: { prompt: "endless" },
    permission: {
      prompt: "permission",
      isAllowed: (run) => run.text.includes("passed"),
      isDenied: (run) => run.text.includes("skipped"),
    },
    question: {
      prompt: "question",
      answer: () => ({ answers: { colour: ["green"] } }),
      holds: (run) => run.text.includes('"colour":"green"'),
    },
    slashCommand: { prompt: "/help", holds: (run) => run.text.includes("There is help.") },
    image: {
      prompt: "image",
      files: [{ type: "file", url: "data:image/png;base64,iVBORw0KGgo=", mediaType: "image/png" }],
      holds: (run) => run.text.includes("image:image/png"),
    },
    memory: {
      told: "the word is kestrel",
      prompt: "recall",
      holds: (run) => run.text.includes("kestrel"),
    },
    steering: { running: "endless", prompt: "text", holds: (run) => run.text.includes("Hello") },
    model: { model: "small", prompt: "model", holds: (run) => run.text.includes("model: small") },
  },
});
