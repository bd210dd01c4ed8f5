/** The own port of a real daemon, beside which the owner works elsewhere. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { SmithyClient, SmithyProject } from "./smithy-client.ts";

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;
let owner: DaemonClient;

beforeEach(async () => {
  project = new SmithyProject();
  const workspace = join(project.root, "workspace");
  mkdirSync(workspace);
  daemon = await startDaemon({
    ...{ port: 0, data: project.data, roots: [project.root], checkpoints: "on" },
    ...{ agentsmithyPort: 0, agentsmithyWorkspace: workspace },
  });
  client = new SmithyClient(`http://127.0.0.1:${daemon.ports[0]!.port}`);
  owner = new DaemonClient(daemon);
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

async function statusOf(session: string): Promise<string> {
  return (await owner.call<{ status: string }>("GET", `/v1/sessions/${session}`)).status;
}

async function typesOfLog(session: string): Promise<string[]> {
  const path = `/v1/sessions/${session}/events?limit=1000`;
  const { events } = await owner.call<{ events: { type: string }[] }>("GET", path);
  return events.map(({ type }) => type);
}

test("a session of the owner outside the workspace is not named when it stands in the way", async () => {
  const { events } = await client.say("scenario:todo");
  const { dialog_id, checkpoint } = events[0]!;
  await owner.call("POST", "/v1/sessions", { id: "secret-parent", agent: "mock", cwd: project.root });
  await owner.call("POST", "/v1/sessions/secret-parent/messages", { text: "scenario:hang" });
  await until(async () => (await typesOfLog("secret-parent")).includes("turn.started"));
  for (const [name, body] of [["reset"], ["restore", { checkpoint_id: checkpoint }]] as const) {
    const refused = await client.call("POST", `/api/dialogs/${dialog_id}/${name}`, body);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining("works on") } });
    expect(refused.body.detail).not.toContain("secret");
  }
  // Nothing of it changes files.
  expect((await client.call("POST", `/api/dialogs/${dialog_id}/approve`)).status).toBe(200);
  await owner.call("POST", "/v1/sessions/secret-parent/interrupt", {});
});

test("a client without a token goes on reading after the owner has let the agent do everything", async () => {
  const body = { messages: [{ role: "user", content: "scenario:hang" }] };
  // Held until the end: `fetch` closes the connection of a response that is garbage.
  const response = await client.post(body);
  const { sessions } = await owner.call<{ sessions: { id: string }[] }>("GET", "/v1/sessions");
  const { id } = sessions[0]!;
  await until(async () => (await typesOfLog(id)).includes("turn.started"));
  await owner.call("PATCH", `/v1/sessions/${id}`, { permissionMode: "bypass" });
  expect(await response.text()).toContain("there is no such session");
  // The turn is the owner's by now.
  expect(await statusOf(id)).toBe("running");
  await owner.call("POST", `/v1/sessions/${id}/interrupt`, {});
});
