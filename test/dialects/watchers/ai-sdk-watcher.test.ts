/** The watcher itself, at a daemon that cuts off its streams after each event in turn, because the store cannot be read. */
import { expect, it } from "vitest";
import type { SessionEvent } from "../../../src/core/event.ts";
import { TOKEN } from "../../../src/server/http-client-test-support.ts";
import { startRealServer } from "../../../src/server/real-server-test-support.ts";
import { storeBusy } from "../../../src/store/read-problems.ts";
import { until } from "../../../src/testkit/until.ts";
import { DaemonClient } from "../../daemon-client.ts";
import { AiSdkWatcher } from "./ai-sdk-watcher.ts";

it.for(["text", "rich", "error", "crash"])(
  "has each chunk of the scenario %s once, whatever the event after which the store could not be read",
  async (scenario) => {
    const server = await startRealServer();
    const client = new DaemonClient({ url: server.url, token: TOKEN });
    let watcher: AiSdkWatcher | undefined;
    try {
      const about = { id: "s", agent: "mock", cwd: server.root, options: { pace: 0 } };
      await client.call("POST", "/v1/sessions", about);
      await client.prompt("s", `scenario:${scenario}`);
      const readLog = async () => (await client.events("s")).map((line) => JSON.parse(line) as SessionEvent);
      await until(async () => (await readLog()).some(({ type }) => type === "turn.ended"));

      const { store } = server;
      const readEvents = store.readEvents.bind(store);
      const [log, cuts] = [await readLog(), [] as number[]];
      let left = 0;
      store.readEvents = async (session, after) => {
        left -= 1;
        if (left >= 0) return readEvents(session, after, 1);
        cuts.push(after);
        left = cuts.length;
        throw storeBusy(new Error("the connection was lost"));
      };
      watcher = new AiSdkWatcher(client, "s");
      await watcher.finish(log);
      const started = log.find(({ type }) => type === "message.started")!.seq;
      const ended = log.find(({ type }) => type === "turn.ended")!.seq;
      expect(cuts).toEqual(Array.from({ length: ended - started + 1 }, (_, place) => started - 1 + place));
    } finally {
      await watcher?.close();
      await server.close();
    }
  },
);
