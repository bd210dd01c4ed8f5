/** An ACP agent behind a WebSocket, and behind TCP, is an adapter like any other. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { describeAdapterContract } from "../../testkit/adapter-contract/index.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { AcpServer, type Carrier } from "./acp-server.test-support.ts";
import { fromConfig } from "./custom-agent.ts";
import { withMadeUpAgent } from "./made-up-agent.test-support.ts";
import { protocolOf } from "./protocol.ts";

const agent = withMadeUpAgent();

for (const carrier of ["ws", "tcp"] satisfies Carrier[]) {
  const memory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-far-")));
  let server: AcpServer;
  beforeAll(async () => {
    server = await AcpServer.start({ carrier, memory });
  });
  afterAll(async () => {
    await server.close();
    rmSync(memory, { recursive: true });
  });

  const adapterAt = (url: string) => {
    const { host: processHost, directory } = agent();
    const means: AgentMeans = {
      processHost,
      programs: {
        find: async () => undefined,
        install: () => Promise.reject(new Error("nothing to install")),
      },
      environment: () => ({}),
      directory: () => directory,
    };
    return protocolOf(fromConfig({ name: "far", remote: { url, headers: {} } })).createAdapter(means);
  };

  describeAdapterContract({
    name: `acp over ${carrier}`,
    createAdapter: () => adapterAt(server.url),
    connectOptions: () => ({ cwd: agent().directory }),
    failure: () => ({ options: { adapterOptions: { files: true } } }),
    adapterOptions: { authMethod: "key" },
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
}
