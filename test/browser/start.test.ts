/** Where sessions begin: one field, who does it and where; with the mock. */
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { holdFiles } from "./hold-files.ts";
import { expectNoWrongs, PATIENT, untilSaid, untilStatus } from "./watched-page.ts";

interface Listed {
  sessions: {
    id: string;
    agent: string;
    cwd: string;
    title?: string;
    model?: string;
    permissionMode?: string;
  }[];
}

const FIELD = "#start-prompt";

function git(directory: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@localhost", ...args], {
    cwd: directory,
  });
}

declare global {
  interface Window {
    /** Tells the page how far the installation is. */
    tell: (frame: object) => void;
    /** Whether somebody has signed in to the agent. */
    isSignedIn?: boolean;
  }
}

/** In the page: two agents that are not as they are here, and an installation that goes on when it is told to. */
function stubAgents(): void {
  const { fetch } = window;
  let isInstalled = false;
  const changed = (name: string): object | undefined => {
    if (name === "codex")
      return isInstalled
        ? { installed: true, version: "9.9.9", signedIn: true }
        : { installed: false, missing: true };
    return name === "opencode" && !window.isSignedIn
      ? { installed: true, signedIn: false, remedy: "Run `opencode auth login` in a terminal." }
      : undefined;
  };
  window.fetch = async (input, init) => {
    const { pathname } = new URL(String(input), location.href);
    if (pathname === "/v1/agents/codex/install") {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          window.tell = (frame) => {
            const { phase } = frame as { phase: string };
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`));
            isInstalled = phase === "installed";
            if (phase === "installed" || phase === "failed") controller.close();
          };
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    const response = await fetch(input, init);
    const status = changed(/^\/v1\/agents\/(\w+)$/.exec(pathname)?.[1] ?? "");
    return status ? Response.json({ ...(await response.json()), status }) : response;
  };
}

describePage("the start", {}, ({ daemon, visit, follow }) => {
  const sessions = async () => (await daemon.call<Listed>("GET", "/v1/sessions?limit=100")).sessions;
  const count = async () => (await sessions()).length;

  async function start(options: object = {}): Promise<{ page: Page; wrongs: string[] }> {
    const watched = await visit(options);
    await watched.page.waitForSelector(FIELD);
    await watched.page.waitForSelector("[data-connection=live]", { state: "attached" });
    return watched;
  }

  function sessionIn(page: Page): string {
    return new URL(page.url()).hash.split("/").at(-1)!;
  }

  /** Waits until the agent that warms up told what it offers. */
  async function untilWarm(page: Page): Promise<void> {
    await page.getByText("Mock is ready").waitFor();
  }

  /** Opens the button that says how the agent is set. */
  async function openSettings(page: Page): Promise<void> {
    await page.getByRole("button", { name: /^Settings: / }).click();
    await page.getByRole("dialog", { name: "Settings of the agent" }).waitFor();
  }

  test("the first time it explains itself, and an example is one click", async () => {
    const watched = await start();
    const { page } = watched;
    await page.getByRole("heading", { name: "Start your first session" }).waitFor();
    // Real agents stand below, with what each of them needs.
    const real = page.getByRole("region", { name: "Use a real agent" });
    await real.getByRole("button", { name: /^Claude Code/ }).click();
    await page.getByRole("button", { name: "Agent: Claude Code" }).waitFor();
    expect(await real.getByRole("button").count()).toBe(3);
    await page.getByRole("button", { name: /^Ask me something/ }).click();
    await page.waitForSelector("#composer");
    await untilStatus(page, "waiting");
    const [session] = await sessions();
    expect([session?.agent, session?.cwd]).toEqual(["mock", daemon.project]);
    expect(sessionIn(page)).toBe(session?.id);
    await page.evaluate(() => {
      location.hash = "/";
    });
    await page.waitForSelector(FIELD);
    expect(await page.getByText("Try it with the mock").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("one field and one key: the agent runs before the prompt is sent, and the session is used", async () => {
    const watched = await start();
    const { page } = watched;
    const before = await count();
    await page.keyboard.type("scenario:ec");
    await untilWarm(page);
    // It is there, but nobody sees it in the list.
    expect(await count()).toBe(before + 1);
    expect(await page.locator("aside [data-session]").count()).toBe(before);
    await page.keyboard.type("ho");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#composer");
    await untilSaid(page, "scenario:echo");
    await untilStatus(page, "idle");
    expect(await count()).toBe(before + 1);
    expect(await daemon.call("GET", `/v1/sessions/${sessionIn(page)}`)).toMatchObject({
      agent: "mock",
      title: "scenario:echo",
      cwd: daemon.project,
      attached: true,
    });
    // What was sent is not written any more when the next one begins.
    await page.locator("#composer").blur();
    await page.keyboard.press("n");
    await page.waitForSelector(FIELD);
    expect(await page.inputValue(FIELD)).toBe("");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("start-prompt");
    expectNoWrongs(watched);
  });

  test("models, modes, slash commands and files are known before the first prompt, and can be chosen", async () => {
    await mkdir(join(daemon.project, "maps"), { recursive: true });
    await writeFile(join(daemon.project, "maps", "harbour.txt"), "boats\n");
    const watched = await start();
    const { page } = watched;
    await page.keyboard.type("scenario:text");
    const height = (await page.getByRole("form", { name: "New session" }).boundingBox())?.height;
    await untilWarm(page);
    // What comes to be known does not move what somebody looks at.
    expect((await page.getByRole("form", { name: "New session" }).boundingBox())?.height).toBe(height);
    await page.getByRole("button", { name: "Settings: Ask before acting · Mock Large" }).waitFor();
    await openSettings(page);
    await page.getByLabel("Model").selectOption("Mock Small");
    await page.getByLabel("Mode", { exact: true }).selectOption("Plan");
    await page.getByLabel("Mode", { exact: true }).selectOption("Build");
    await page.getByLabel("effort").selectOption("High");
    await page.getByLabel("Permissions").selectOption("Allow everything");
    await page.keyboard.press("Escape");
    await page.getByText("will change files and run commands without asking you").waitFor();
    await page.getByRole("button", { name: "Settings: Allow everything · Mock Small" }).waitFor();
    await page.fill(FIELD, "/");
    await page.getByRole("option", { name: /^\/help/ }).waitFor();
    await page.keyboard.type("he");
    await page.keyboard.press("Tab");
    expect(await page.inputValue(FIELD)).toBe("/help ");
    await page.keyboard.type("@harb");
    await page.getByRole("option", { name: "maps/harbour.txt" }).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.inputValue(FIELD)).toBe("/help @maps/harbour.txt ");
    await page.fill(FIELD, "/help");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#composer");
    await untilSaid(page, "scenario");
    await untilStatus(page, "idle");
    expect(await daemon.call("GET", `/v1/sessions/${sessionIn(page)}`)).toMatchObject({
      model: "mock-small",
      mode: "build",
      permissionMode: "bypass",
      settings: [{ id: "effort", value: "high" }],
    });
    expectNoWrongs(watched);
  });

  test("a session that warmed up for nothing is gone: when something else is chosen, and when the page goes", async () => {
    await mkdir(join(daemon.project, "elsewhere"), { recursive: true });
    const watched = await start();
    const { page } = watched;
    const before = await count();
    await page.keyboard.type("Never sent");
    await untilWarm(page);
    const [first] = await sessions();
    await pick(page, "elsewhere");
    await expect.poll(async () => (await sessions()).some(({ id }) => id === first?.id), PATIENT).toBe(false);
    await untilWarm(page);
    const [second] = await sessions();
    expect([second?.cwd, await count()]).toEqual([join(daemon.project, "elsewhere"), before + 1]);
    // Another view is another matter.
    await page.locator(FIELD).blur();
    await page.locator("aside [data-session]").first().click();
    await page.waitForSelector("#composer");
    await expect.poll(count, PATIENT).toBe(before);
    await page.locator("#composer").blur();
    await page.keyboard.press("n");
    await page.waitForSelector(FIELD);
    // What was written is still there, so it warms up again.
    await untilWarm(page);
    expect(await count()).toBe(before + 1);
    await page.reload();
    await page.waitForSelector(FIELD);
    await untilWarm(page);
    await expect.poll(count, PATIENT).toBe(before + 1);
    await page.close();
    await expect.poll(count, PATIENT).toBe(before);
    expectNoWrongs(watched);
  });

  /** Opens the list of directories, and uses the one that the names lead to. */
  async function pick(page: Page, ...names: string[]): Promise<void> {
    await page.getByRole("button", { name: /^Directory: / }).click();
    const list = page.getByRole("listbox", { name: "Directories" });
    await list.locator(`[data-act=go][data-directory="${daemon.project}"]`).click();
    for (const name of names) {
      await page.getByRole("combobox", { name: "Search, or write a path" }).fill(name);
      await list.getByRole("option", { name, exact: true }).click();
    }
    await list.getByRole("option", { name: `Use ${names.at(-1)}` }).click();
    await list.waitFor({ state: "detached" });
  }

  test("directories are looked through by keys, never outside of the roots, and remembered", async () => {
    await mkdir(join(daemon.project, "maps", "tiles"), { recursive: true });
    await mkdir(join(daemon.project, "maps", ".cache"), { recursive: true });
    await symlink("/etc", join(daemon.project, "maps", "outside"));
    const watched = await start();
    const { page } = watched;
    await page.getByRole("button", { name: /^Directory: / }).click();
    const field = page.getByRole("combobox", { name: "Search, or write a path" });
    const names = () => page.locator("[role=listbox] [role=option]").allTextContents();
    await field.fill("tile");
    await expect.poll(names, PATIENT).toEqual(["tilesatlas/maps"]);
    await field.fill(`${daemon.project}/ma`);
    await expect.poll(names, PATIENT).toEqual(["maps"]);
    await page.keyboard.press("Enter");
    await expect.poll(names, PATIENT).toEqual(["Use maps", "atlasthe directory above", "tiles"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(names, PATIENT).toEqual(["Use tiles", "mapsthe directory above"]);
    await field.fill("/etc/");
    await page.getByText("/etc/ is no directory that sessions may work in.").waitFor();
    // A path that leads to a root offers it, whatever lies above.
    await field.fill(daemon.project.slice(0, -2));
    await page.locator(`[data-directory="${daemon.project}"]`).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await field.fill("");
    await expect.poll(names, PATIENT).toEqual(["Use tiles", "mapsthe directory above"]);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Directory: tiles" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("start-prompt");
    await page.keyboard.type("scenario:text");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#composer");
    expect((await sessions())[0]?.cwd).toBe(join(daemon.project, "maps", "tiles"));
    // Next time it is the one, and among those used last.
    await page.goto(`${daemon.origin}/#/`);
    await page.reload();
    await page.getByRole("button", { name: "Directory: tiles" }).click();
    await page.locator(`[data-act=use][data-directory="${join(daemon.project, "maps", "tiles")}"]`).waitFor();
    await page.keyboard.press("Escape");
    expectNoWrongs(watched);
  });

  test("in a repository the session can have a worktree of its own", async () => {
    const repository = join(daemon.project, "repository");
    await mkdir(repository, { recursive: true });
    await writeFile(join(repository, "a.txt"), "one\n");
    git(repository, "init", "-q");
    git(repository, "add", ".");
    git(repository, "commit", "-qm", "One");
    const watched = await start();
    const { page } = watched;
    expect(await page.getByRole("button", { name: "Own worktree" }).count()).toBe(0);
    await pick(page, "repository");
    await page.getByRole("button", { name: "Own worktree" }).click();
    const before = await count();
    await page.keyboard.press("Tab");
    await page.fill(FIELD, "scenario:text");
    // Nothing is made for it before it is sent.
    expect(await count()).toBe(before);
    await page.press(FIELD, "Enter");
    await page.waitForSelector("#composer");
    await untilStatus(page, "idle");
    expect((await sessions())[0]?.cwd).toMatch(/\/worktrees\/ses_[^/]+\/repository$/);
    expectNoWrongs(watched);
  });

  test("agents stand by what they need; one that is missing is installed, and one tells how to sign in", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.addInitScript(stubAgents);
    await page.reload();
    await page.waitForSelector(FIELD);
    await page.getByRole("button", { name: /^Agent: / }).click();
    const menu = page.getByRole("dialog", { name: "Agent" });
    const group = menu.getByRole("group", { name: "To be set up" });
    await group.getByRole("option", { name: "Codex Install" }).waitFor();
    await group.getByRole("option", { name: "OpenCode Sign in" }).click();
    await page.getByText("OpenCode needs you to sign in").waitFor();
    await page.getByText("opencode auth login", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Copy opencode auth login" }).waitFor();
    // Nothing is set of one that cannot start; once somebody has signed in, it goes on.
    expect(await page.getByRole("button", { name: /^Settings: / }).count()).toBe(0);
    await page.evaluate(() => {
      window.isSignedIn = true;
    });
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("OpenCode needs you to sign in").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Agent: OpenCode" }).click();
    await page.keyboard.type("code");
    await expect
      .poll(() => menu.getByRole("option").evaluateAll((all) => all.map((one) => one.dataset.agent)))
      .toEqual(expect.arrayContaining(["codex", "opencode", "codex-acp"]));
    // The same ones by another way come last.
    await menu.getByRole("group", { name: "By another way" }).getByText("Codex over ACP").waitFor();
    await menu.getByRole("option", { name: /^Codex\b(?! over)/ }).click();
    await page.getByText("Codex is not installed.").waitFor();
    // The focus is back where the person writes, but nothing starts yet.
    await page.keyboard.type("Say hello");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("button", { name: "Start" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: /^Install / }).click();
    const progress = page.getByRole("progressbar", { name: "Installing Codex" });
    await progress.waitFor();
    await page.evaluate(() => window.tell({ phase: "downloading", bytes: 42, total: 100 }));
    await page.getByText("42 %").waitFor();
    await page.evaluate(() => window.tell({ phase: "failed", detail: "The network is down.", status: 502 }));
    await page.getByRole("alert").filter({ hasText: "The network is down." }).waitFor();
    await page.getByRole("button", { name: /^Try again/ }).click();
    await progress.waitFor();
    await page.evaluate(() => window.tell({ phase: "installed", version: "9.9.9", path: "/nowhere" }));
    await progress.waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Start" }).isEnabled()).toBe(true);
    expectNoWrongs(watched);
    await page.close();
  });

  test("whoever may not delete sessions starts them without warming up, and whoever has only some starts none", async () => {
    const token = async (more: object) =>
      (await daemon.call<{ token: string }>("POST", "/v1/tokens", { role: "operator", ...more })).token;
    await expect.poll(async () => (await sessions())[0]?.agent, PATIENT).toBe("mock");
    const before = await count();
    const operator = await follow(`${daemon.origin}/#token=${await token({ name: "Ops" })}`);
    await operator.page.waitForSelector(FIELD);
    await operator.page.getByRole("button", { name: /^Directory: \w/ }).waitFor();
    await operator.page.fill(FIELD, "scenario:text");
    await openSettings(operator.page);
    expect(await operator.page.getByLabel("Permissions").locator("option").allTextContents()).not.toContain(
      "Allow everything",
    );
    await operator.page.keyboard.press("Escape");
    await operator.page.press(FIELD, "Enter");
    await operator.page.waitForSelector("#composer");
    await untilStatus(operator.page, "idle");
    expect(await count()).toBe(before + 1);
    const guest = await follow(
      `${daemon.origin}/#token=${await token({ name: "Some", sessions: [sessionIn(operator.page)] })}`,
    );
    await guest.page.getByText("The sessions that your access is for are listed here.").waitFor();
    expect(await guest.page.locator(FIELD).count()).toBe(0);
    expect(await guest.page.getByRole("button", { name: "New session" }).count()).toBe(0);
    expectNoWrongs(operator, guest);
  });

  test("it works on a phone", async () => {
    const watched = await start({
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    });
    const { page } = watched;
    // The keyboard stays away until somebody wants to write.
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe("start-prompt");
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("main button, main select")]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 36)
        .map((element) => element.outerHTML),
    );
    expect(small).toEqual([]);
    // It is where the thumb is.
    const { y, height } = (await page.getByRole("form", { name: "New session" }).boundingBox())!;
    expect(y + height).toBeGreaterThan(800);
    await page.tap(FIELD);
    await page.keyboard.type("scenario:text");
    await page.getByRole("button", { name: "Start" }).tap();
    await page.waitForSelector("#composer");
    await untilStatus(page, "idle");
    // Back closes what lies over the page, and nothing else.
    const drawer = page.getByRole("dialog", { name: "Sessions" });
    const address = page.url();
    await page.getByRole("button", { name: "Sessions" }).tap();
    await drawer.waitFor();
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    expect(page.url()).toBe(address);
    await page.getByRole("button", { name: "Sessions" }).tap();
    await drawer.getByRole("button", { name: "New session", exact: true }).tap();
    await page.waitForSelector(FIELD);
    // What was opened from there stands in its place.
    await page.goBack();
    await page.waitForSelector("#composer");
    expect(page.url()).toBe(address);
    await page.goForward();
    await page.waitForSelector(FIELD);
    // So does what is chosen in the palette, which closes before it leads there.
    await page.getByRole("button", { name: "Sessions" }).tap();
    await drawer.getByRole("button", { name: "Find or do anything" }).tap();
    await page.getByRole("dialog").getByText("Usage and cost").tap();
    await page.waitForURL((url) => url.hash === "#/usage");
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    expect(page.url()).toContain("#/usage");
    await page.goBack();
    await page.waitForSelector(FIELD);
    // What one looks for on a phone is there at once: what waits, what runs, and the latest.
    await daemon.createSession("phone-waits", { title: "Waits for the phone" });
    await daemon.prompt("phone-waits", "scenario:approve");
    const waiting = page.getByRole("region", { name: "Needs you" });
    await waiting.locator("[data-session=phone-waits]").waitFor();
    await page.getByRole("region", { name: "Latest" }).locator("[data-session]").first().waitFor();
    await waiting.getByRole("button", { name: /^Answer it|^Review/ }).tap();
    await page.getByRole("dialog", { name: "Waiting for you" }).getByRole("button", { name: "Close" }).tap();
    await waiting.getByRole("link", { name: "Waits for the phone" }).tap();
    await page.getByRole("button", { name: "Allow", exact: true }).tap();
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("the palette starts a session with an agent", async () => {
    const watched = await start();
    const { page } = watched;
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("gemini");
    await page.getByRole("option", { name: /Gemini CLI/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Agent: Gemini CLI" }).waitFor();
    expectNoWrongs(watched);
  });

  test("a prompt that cannot be sent is not lost", async () => {
    const watched = await start();
    const { page } = watched;
    await page.route("**/v1/sessions/*/messages", (route) =>
      route.fulfill({
        status: 507,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "store_unavailable", detail: "The disk is full.", status: 507 }),
      }),
    );
    await page.keyboard.type("Keep this");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#composer");
    await page.getByText("The disk is full.").first().waitFor();
    await page.locator("form [data-unsent]", { hasText: "Your prompt was not sent." }).waitFor();
    expect(await page.inputValue("#composer")).toBe("Keep this");
    expectNoWrongs(watched);
  });

  test("a first prompt whose answer was lost on the way is not sent twice", async () => {
    const watched = await start();
    const { page } = watched;
    // The daemon takes it, but the page never hears of it.
    await page.route("**/v1/sessions/*/messages", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.type("scenario:echo just once");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#composer");
    await page.locator("[data-role=assistant]", { hasText: "just once" }).waitFor();
    await untilStatus(page, "idle");
    expect(await page.inputValue("#composer")).toBe("");
    expect(await page.locator("[data-unsent]").count()).toBe(0);
    expect(await page.locator("[data-role=user]").count()).toBe(1);
    expectNoWrongs(watched);
  });

  test("a session starts when the files of its prompt are read", async () => {
    const watched = await start();
    const { page } = watched;
    await holdFiles(page);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
    await page.keyboard.type("scenario:text");
    await page.keyboard.press("Enter");
    await page.locator("form").getByLabel("Starting", { exact: true }).waitFor();
    await page.evaluate(() => window.releaseFiles());
    await page.locator("[data-role=assistant]", { hasText: "note.txt" }).waitFor();
    expectNoWrongs(watched);
  });

  test("while a session starts its prompt stays as it was sent", async () => {
    const watched = await start();
    const { page } = watched;
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/v1/sessions/*/messages", async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.type("scenario:echo as it was");
    await page.keyboard.press("Enter");
    await page.locator("form").getByLabel("Starting", { exact: true }).waitFor();
    await page.keyboard.type(" and more");
    expect(await page.inputValue(FIELD)).toBe("scenario:echo as it was");
    answer();
    await page.locator("[data-role=assistant]", { hasText: "as it was" }).waitFor();
    expectNoWrongs(watched);
  });
});
