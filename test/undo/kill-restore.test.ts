/** kill -9 in the middle of a turn and of a restore, with the real git: the next start finishes what was begun. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { readRepository } from "../../src/workspace/workspace-test-support.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { AFTER, BEFORE, Project } from "./project.ts";

const SCRIPT = join(import.meta.dirname, "../crash/dying-daemon.ts");
const ON = { INTERLINGUA_CHECKPOINTS: "on" };

interface Listed {
  checkpoints: { id: string; kind: string; turn?: string }[];
}

async function isIdle(daemon: DaemonProcess): Promise<boolean> {
  return (await daemon.call<{ status: string }>("GET", "/v1/sessions/s")).status === "idle";
}

async function logOf(daemon: DaemonProcess): Promise<SessionEvent[]> {
  return (await daemon.events("s")).map((line) => JSON.parse(line) as SessionEvent);
}

const body = { id: "s", agent: "mock", options: { pace: 0 } };

describe("a restore that was cut off", () => {
  test.each(["restore.started", "checkpoint.restored"])(
    "right after %s is whole at the next start",
    async (point) => {
      using project = new Project();
      const { data, root } = project;
      const repository = readRepository(join(root, ".git"));
      const daemon = await DaemonProcess.start(data, {
        root,
        script: SCRIPT,
        environment: { ...ON, DIE_AFTER: point },
      });
      await daemon.call("POST", "/v1/sessions", { ...body, cwd: root });
      await daemon.prompt("s", "scenario:files", "u1");
      await until(() => isIdle(daemon));
      expect(project.files).toEqual(AFTER);
      const { checkpoints } = await daemon.call<Listed>("GET", "/v1/sessions/s/checkpoints");
      const checkpoint = checkpoints.find(({ kind }) => kind === "before")!.id;
      await daemon.call("POST", "/v1/sessions/s/restore", { checkpoint }).catch(() => undefined);
      await daemon.gone;

      const restarted = await DaemonProcess.start(data, { root, environment: ON });
      await until(() => isIdle(restarted));
      expect(project.files).toEqual(BEFORE);
      const log = await logOf(restarted);
      expect(log.filter(({ type }) => type === "checkpoint.restored")).toMatchObject([
        { checkpoint, files: 3 },
      ]);
      expect(checkLog(log, { complete: true })).toEqual([]);

      const undo = (await restarted.call<Listed>("GET", "/v1/sessions/s/checkpoints")).checkpoints.find(
        ({ kind }) => kind === "restore",
      )!;
      await restarted.call("POST", "/v1/sessions/s/restore", { checkpoint: undo.id });
      expect(project.files).toEqual(AFTER);
      expect(readRepository(join(root, ".git"))).toEqual(repository);
      await restarted.kill("SIGTERM");
    },
  );
});

test("a turn that the daemon's death cut off can be undone", async () => {
  using project = new Project();
  const { data, root } = project;
  const daemon = await DaemonProcess.start(data, {
    root,
    script: SCRIPT,
    // The agent has written, and its words are in the log.
    environment: { ...ON, DIE_AFTER: "text.end" },
  });
  await daemon.call("POST", "/v1/sessions", { ...body, cwd: root });
  await daemon.prompt("s", "scenario:files", "u1").catch(() => undefined);
  await daemon.gone;
  expect(project.files).toEqual(AFTER);

  const restarted = await DaemonProcess.start(data, { root, environment: ON });
  await until(async () => (await logOf(restarted)).some((event) => "endOf" in event));
  const { checkpoints } = await restarted.call<Listed>("GET", "/v1/sessions/s/checkpoints");
  const checkpoint = checkpoints.find(({ kind }) => kind === "before")!.id;
  await restarted.call("POST", "/v1/sessions/s/restore", { checkpoint });
  expect(project.files).toEqual(BEFORE);
  expect(checkLog(await logOf(restarted), { complete: true })).toEqual([]);
  await restarted.kill("SIGTERM");
});
