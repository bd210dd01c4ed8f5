/** Daemons that die while they prepare a prompt, and at other moments. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { BlockedGit } from "./blocked-git.ts";
import { DaemonProcess, temporaryDirectory } from "./daemon-process.ts";

interface Waiting {
  message: string;
  held?: true;
  reason?: string;
}

/** A data directory with a repository "poison" whose git can be blocked, and one where nothing happens. */
class Place implements AsyncDisposable {
  readonly #directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  readonly git: BlockedGit;
  #daemon: DaemonProcess | undefined;

  private constructor(directory: Awaited<ReturnType<typeof temporaryDirectory>>) {
    this.#directory = directory;
    this.git = new BlockedGit(join(directory.path, "bin"), "poison");
    for (const name of ["poison", "quiet"]) {
      mkdirSync(this.path(name));
      execFileSync("git", ["init", "--quiet"], { cwd: this.path(name) });
      writeFileSync(join(this.path(name), "file.txt"), "text\n");
    }
    mkdirSync(this.path("data"));
  }

  static async create(): Promise<Place> {
    return new Place(await temporaryDirectory());
  }

  path(name: string): string {
    return join(this.#directory.path, name);
  }

  get daemon(): DaemonProcess {
    return this.#daemon!;
  }

  async start(environment: Record<string, string> = {}): Promise<DaemonProcess> {
    this.#daemon = await DaemonProcess.start(this.path("data"), {
      root: this.#directory.path,
      environment: { ...this.git.environment, ...environment },
    });
    return this.#daemon;
  }

  /** With its first checkpoint. */
  async create(id: string, directory: string): Promise<void> {
    await this.daemon.call("POST", "/v1/sessions", { id, agent: "mock", cwd: this.path(directory) });
    await this.has(id, "checkpoint.created");
    writeFileSync(join(this.path(directory), `${id}.txt`), "changed\n");
  }

  /** Dies while the prompt is being prepared. */
  async dieInPreparation(): Promise<void> {
    await until(() => this.git.isReached);
    await this.daemon.kill();
  }

  async events(session: string): Promise<SessionEvent[]> {
    const lines = await this.daemon.events(session);
    return lines.map((line) => JSON.parse(line) as SessionEvent);
  }

  async find<Type extends SessionEvent["type"]>(session: string, type: Type): Promise<EventOf<Type>[]> {
    return (await this.events(session)).filter((event): event is EventOf<Type> => event.type === type);
  }

  async has(session: string, type: SessionEvent["type"], count = 1): Promise<void> {
    await until(async () => (await this.find(session, type)).length >= count);
  }

  async dispatched(session: string): Promise<string[]> {
    return (await this.find(session, "prompt.dispatched")).map(({ message }) => message);
  }

  async queue(session: string): Promise<Waiting[]> {
    const { queue } = await this.daemon.call<{ queue: Waiting[] }>("GET", `/v1/sessions/${session}/queue`);
    return queue;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.git.release();
    await this.#daemon?.kill();
    await this.#directory[Symbol.asyncDispose]();
  }
}

/** Two daemons have died while they prepared "u1", and the third runs. */
async function heldAfterTwoDeaths(): Promise<Place> {
  const place = await Place.create();
  await place.start();
  await place.create("s", "poison");
  await place.create("other", "quiet");
  place.git.block();
  await place.daemon.prompt("s", "scenario:text kills daemons", "u1");
  await place.dieInPreparation();
  place.git.block();
  await place.start();
  await place.dieInPreparation();
  place.git.release();
  await place.start();
  await until(async () => (await place.queue("s"))[0]?.held === true);
  return place;
}

test("a prompt whose preparation killed two daemons in a row kills no third one: it is held, and the others run", async () => {
  await using place = await heldAfterTwoDeaths();
  expect(await place.queue("s")).toMatchObject([
    { message: "u1", held: true, reason: expect.stringContaining("Two daemons in a row died") },
  ]);
  const notices = (await place.find("s", "notice")).filter(({ code }) => code === "prompt_held");
  expect(notices).toMatchObject([{ data: { message: "u1" }, text: expect.stringMatching(/Send it now/) }]);

  // New prompts neither release it nor wait for it.
  await place.daemon.prompt("s", "scenario:text", "u2");
  await place.daemon.prompt("other", "scenario:text", "o1");
  await place.has("s", "turn.ended");
  await place.has("other", "turn.ended");
  expect(await place.dispatched("s")).toEqual(["u2"]);
  expect((await place.queue("s"))[0]).toMatchObject({ message: "u1", held: true });

  // It stays held over a restart, and is not held a second time.
  await place.daemon.kill();
  await place.start();
  expect(await place.find("s", "prompt.held")).toHaveLength(1);

  expect(await place.daemon.call("POST", "/v1/sessions/s/queue/release")).toEqual({ released: true });
  await place.has("s", "turn.ended", 2);
  expect(await place.dispatched("s")).toEqual(["u2", "u1"]);
  expect(checkLog(await place.events("s"), { complete: true })).toEqual([]);
});

test("a held prompt runs when it is sent now, and its deaths are counted anew", async () => {
  await using place = await heldAfterTwoDeaths();
  place.git.block();
  await place.daemon.call("POST", "/v1/sessions/s/queue/u1/send");
  await place.dieInPreparation();
  place.git.release();
  await place.start();
  await place.has("s", "turn.ended");
  expect(await place.dispatched("s")).toEqual(["u1"]);
});

test("a held prompt can be withdrawn", async () => {
  await using place = await heldAfterTwoDeaths();
  const { status } = await place.daemon.request("DELETE", "/v1/sessions/s/queue/u1");
  expect(status).toBeLessThan(300);
  expect(await place.queue("s")).toEqual([]);
  expect(checkLog(await place.events("s"), { complete: true })).toEqual([]);
});

/** What the daemon is in the middle of when it ends. */
const deaths: Record<string, (place: Place) => Promise<void>> = {
  async preparation(place) {
    await until(() => place.git.isReached);
    await place.daemon.kill();
  },
  async "preparation, by SIGTERM"(place) {
    await until(() => place.git.isReached);
    await place.daemon.kill("SIGTERM");
  },
};

test.each([
  [
    "SIGTERM, however often",
    ["preparation, by SIGTERM", "preparation, by SIGTERM", "preparation, by SIGTERM"],
  ],
  ["a death, SIGTERM and a death", ["preparation", "preparation, by SIGTERM", "preparation"]],
])("%s during the preparation of a prompt: it is not held", async (_name, ends) => {
  await using place = await Place.create();
  await place.start();
  await place.create("s", "poison");
  place.git.block();
  await place.daemon.prompt("s", "scenario:text", "u1");
  for (const end of ends) {
    await deaths[end]!(place);
    place.git.block();
    await place.start();
  }
  place.git.release();
  await place.has("s", "turn.ended");
  expect(await place.dispatched("s")).toEqual(["u1"]);
  expect(await place.find("s", "prompt.held")).toEqual([]);
});

test("daemons that die while a prompt waits behind a turn, while it runs, or while another session prepares hold nothing of it", async () => {
  await using place = await Place.create();
  await place.start();
  await place.create("s", "poison");
  await place.create("other", "quiet");
  // A death while "o2" waits behind "o1", which runs, and "u1" is being prepared.
  await place.daemon.prompt("other", "scenario:hang", "o1");
  await place.has("other", "prompt.received");
  await place.daemon.prompt("other", "scenario:hang", "o2");
  place.git.block();
  await place.daemon.prompt("s", "scenario:text", "u1");
  await place.dieInPreparation();
  // A death while "o2" runs, and "u1" is being prepared again. Then a daemon prepares "o3" only once.
  place.git.block();
  await place.start();
  await place.has("other", "prompt.received", 2);
  await place.daemon.prompt("other", "scenario:text", "o3");
  await place.dieInPreparation();
  place.git.release();
  await place.start();
  await until(async () => (await place.dispatched("other")).length === 3);
  await place.has("other", "turn.ended", 3);
  expect(await place.dispatched("other")).toEqual(["o1", "o2", "o3"]);
  expect(await place.find("other", "prompt.held")).toEqual([]);
  expect(await place.queue("s")).toMatchObject([{ message: "u1", held: true }]);
  for (const session of ["s", "other"])
    expect(checkLog(await place.events(session), { complete: true })).toEqual([]);
});

test("a death, a success and a death: the second prompt is not held", async () => {
  await using place = await Place.create();
  await place.start();
  await place.create("s", "poison");
  place.git.block();
  await place.daemon.prompt("s", "scenario:text", "u1");
  await place.dieInPreparation();
  place.git.release();
  await place.start();
  await place.has("s", "turn.ended");
  writeFileSync(join(place.path("poison"), "more.txt"), "changed\n");
  place.git.block();
  await place.daemon.prompt("s", "scenario:text", "u2");
  await place.dieInPreparation();
  place.git.release();
  await place.start();
  await place.has("s", "turn.ended", 2);
  expect(await place.dispatched("s")).toEqual(["u1", "u2"]);
  expect(await place.find("s", "prompt.held")).toEqual([]);
});
