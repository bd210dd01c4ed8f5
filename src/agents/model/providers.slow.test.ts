import { describe, expect, it } from "vitest";
import {
  httpError,
  startScriptedModel,
  text,
  thinking,
  toolCall,
} from "../../testkit/scripted-model/index.ts";
import { costOf, findKnownModel } from "./prices.ts";
import { defaultModel, readModelName, resolveProviders } from "./providers.ts";
import { ModelWorld, withModel } from "./with-model.test-support.ts";

const providers = { local: { url: "http://127.0.0.1:8080/v1", models: ["small"], keyEnv: "LOCAL_KEY" } };

describe("names", () => {
  const known = resolveProviders(providers, {});

  it.each([
    ["anthropic/claude-x", undefined, { provider: "anthropic", model: "claude-x" }],
    ["local/org/model:7b", undefined, { provider: "local", model: "org/model:7b" }],
    ["small", undefined, { provider: "local", model: "small" }],
    ["gpt-9", "openai", { provider: "openai", model: "gpt-9" }],
    ["openai/gpt-9", "openai", { provider: "openai", model: "gpt-9" }],
    ["nobody/model", undefined, undefined],
    ["anthropic/", undefined, undefined],
  ])("%s of %s", (name, own, expected) => {
    expect(readModelName(name, known, own)).toEqual(expected);
  });

  it("without one the first provider that can be used is taken", () => {
    expect(defaultModel(known, { OPENAI_API_KEY: "k" })).toMatchObject({ provider: "openai" });
    expect(defaultModel(known, { LOCAL_KEY: "k" })).toEqual({ provider: "local", model: "small" });
    expect(defaultModel(resolveProviders({}, {}), {})).toMatchObject({ provider: "anthropic" });
  });

  it("an address without a path gets the version that the service's own tools add", () => {
    const environment = { ANTHROPIC_BASE_URL: "http://box:1", OLLAMA_HOST: "box:2" };
    const resolved = resolveProviders({ openai: { url: "http://box:3/api/" } }, environment);
    expect([...resolved.values()].map(({ url }) => url)).toEqual([
      "http://box:1/v1",
      "http://box:3/api",
      "https://generativelanguage.googleapis.com/v1beta",
      "http://box:2/v1",
    ]);
  });
});

describe("an address", () => {
  const ollama = (OLLAMA_HOST: string) => resolveProviders({}, { OLLAMA_HOST }).get("ollama")!.url;

  it.each([
    ["box", "http://box:11434/v1"],
    ["box:1234", "http://box:1234/v1"],
    [":11434", "http://127.0.0.1:11434/v1"],
    [":8080", "http://127.0.0.1:8080/v1"],
    ["0.0.0.0", "http://127.0.0.1:11434/v1"],
    ["0.0.0.0:8080", "http://127.0.0.1:8080/v1"],
    ["::", "http://[::1]:11434/v1"],
    ["::1", "http://[::1]:11434/v1"],
    ["[::1]:8080", "http://[::1]:8080/v1"],
    ["http://box", "http://box/v1"],
    ["https://box", "https://box/v1"],
    ["https://box:8443/", "https://box:8443/v1"],
    ["http://box:8080/ollama/v1/", "http://box:8080/ollama/v1"],
    [" box ", "http://box:11434/v1"],
    ["", "http://127.0.0.1:11434/v1"],
  ])("OLLAMA_HOST=%j is read as Ollama reads it", (host, url) => {
    expect(ollama(host)).toBe(url);
  });

  it("is the usual one of its type for a provider of another name", () => {
    const work = { type: "anthropic" as const, keyEnv: "WORK_KEY" };
    const environment = { ANTHROPIC_BASE_URL: "http://box" };
    expect(resolveProviders({ work }, environment).get("work")!.url).toBe("https://api.anthropic.com/v1");
    expect(resolveProviders({ box: {} }, environment).get("box")!.url).toBe("");
  });

  it("gives away its user's name and password in no place where an address is told", () => {
    const url = "http://somebody:hush%2Fhush@box:1/v1";
    for (const provider of [
      resolveProviders({ box: { url } }, {}).get("box")!,
      resolveProviders({}, { OLLAMA_HOST: url }).get("ollama")!,
      resolveProviders({}, { OPENAI_BASE_URL: url }).get("openai")!,
    ])
      expect(provider).toMatchObject({
        url: "http://box:1/v1",
        headers: { authorization: `Basic ${btoa("somebody:hush/hush")}` },
      });
  });
});

describe("prices", () => {
  it("are known for a model with a date, and for no model that is only named alike", () => {
    expect(findKnownModel("anthropic", "claude-sonnet-4-5-20250929")?.price.input).toBe(3);
    expect(findKnownModel("openai", "gpt-5-2025-08-07")?.price.output).toBe(10);
    expect(findKnownModel("anthropic", "claude-sonnet-4-5-turbo")).toBeUndefined();
    expect(findKnownModel("openai-compatible", "gpt-5")).toBeUndefined();
  });

  it("count what was cached apart", () => {
    const tokens = { input: 1_000_000, output: 0, cacheRead: 500_000, cacheWrite: 100_000 };
    expect(costOf(tokens, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo(1.725, 9);
    expect(costOf(tokens, { input: 3, output: 15 })).toBeCloseTo(3, 9);
  });
});

describe("each provider", () => {
  const loop = [
    [thinking("Hm."), text("I write. "), toolCall("write_to_file", { path: "a.txt", content: "A\n" })],
    [text("Written.")],
  ];
  const world = withModel({ loop });

  it.each([
    ["anthropic/claude-sonnet-4-5", "anthropic-messages", "high"],
    ["openai/gpt-5.1", "openai-responses", "high"],
    ["google/gemini-2.5-pro", "gemini", "default"],
    ["ollama/qwen3", "openai-chat", "default"],
  ])("%s speaks, thinks, calls a tool and gets the result", async (model, api, effort) => {
    const session = await world().run({ model, permissionMode: "bypass" });
    await session.session.send({ type: "configure", settings: { effort } });
    await session.turn("Write it [[loop]]");
    await session.close();
    expect(session.of("turn.ended")[0]).toMatchObject({ outcome: "completed", model });
    expect(session.text).toBe("I write. Written.");
    expect(
      session
        .of("reasoning.delta")
        .map(({ delta }) => delta)
        .join(""),
    ).toBe("Hm.");
    expect(session.of("tool.output")).toMatchObject([{ output: { type: "write_file_result" } }]);
    expect(session.of("usage").map(({ input, output }) => [input, output])).toEqual([
      [11, 7],
      [11, 7],
    ]);
    expect(session.of("usage").every(({ cost }) => (cost === undefined) === (model === "ollama/qwen3"))).toBe(
      true,
    );
    const request = world().model.requests.at(-1)!;
    expect(request.api).toBe(api);
    expect(JSON.stringify(request.body)).toContain("write_file_result");
  });
});

async function startScripted() {
  const { url, close } = await startScriptedModel();
  return { url, [Symbol.asyncDispose]: close };
}

describe("what is wrong is told with the remedy, and the session goes on", () => {
  async function failure(
    start: Parameters<typeof ModelWorld.start>,
    options: object,
  ): Promise<{ code?: string; message?: string }> {
    await using world = await ModelWorld.start(...start);
    const session = await world.run({ permissionMode: "bypass", ...options });
    const { outcome, error } = await session.turn("Try [[fail]]");
    expect(outcome).toBe("failed");
    await session.turn("Again [[fail]]");
    await session.close();
    return { ...error, message: error?.message.replaceAll(world.model.url, "URL") };
  }

  it("no key", async () => {
    const environment = { ANTHROPIC_API_KEY: undefined };
    const error = await failure([{}, { environment }], { model: "anthropic/claude-sonnet-4-5" });
    expect(error).toEqual({
      code: "agent_not_signed_in",
      message: "Anthropic needs a key, and none is set. Set ANTHROPIC_API_KEY in the daemon's environment.",
    });
  });

  it("a wrong key", async () => {
    const fail = [httpError(401, { message: "invalid x-api-key" })];
    expect(await failure([{ fail }], {})).toEqual({
      code: "authentication_failed",
      message:
        "Anthropic at URL/v1: invalid x-api-key. The credentials of Anthropic were refused. Correct ANTHROPIC_API_KEY where it is set: in the session's env, or in the daemon's environment, and then start the daemon again.",
    });
  });

  it("a wrong key that the service repeats", async () => {
    const fail = [httpError(401, { message: "Incorrect API key provided: sk-ant-scripted." })];
    const { message } = await failure([{ fail }], {});
    expect(message).toContain("Incorrect API key provided: [key].");
  });

  it("an unknown model", async () => {
    const fail = [httpError(404, { message: "model: claude-9" })];
    expect(await failure([{ fail }], { model: "anthropic/claude-9" })).toEqual({
      code: "model_not_found",
      message:
        'Anthropic at URL/v1 does not know the model "claude-9", or has no such address: model: claude-9. Choose another model, or correct ANTHROPIC_BASE_URL or providers.anthropic.url.',
    });
  });

  it.runIf(process.platform === "linux")("an endpoint that is down", async () => {
    // The scripted model has the port, and listens at another address of this machine.
    await using model = await startScripted();
    const url = model.url.replace("127.0.0.1", "127.66.77.88");
    const error = await failure([{}, { providers: { down: { url } } }], { model: "down/any" });
    expect(error).toEqual({
      code: "endpoint_unreachable",
      message: `down at ${url}/v1 cannot be reached (ECONNREFUSED). Start it, or correct providers.down.url.`,
    });
  });

  it("an address that nobody may use", async () => {
    const down = { url: "http://127.0.0.1:1" };
    const { code, message } = await failure([{}, { providers: { down } }], { model: "down/any" });
    expect(code).toBe("endpoint_unreachable");
    expect(message).toContain("(bad port)");
  });

  it("a rate limit for longer than anybody waits", async () => {
    const fail = [httpError(429, { message: "slow down", retryAfter: 3600 })];
    expect(await failure([{ fail }], {})).toEqual({
      code: "rate_limited",
      message:
        "Anthropic at URL/v1: slow down. Send the prompt again later, or choose another model or account. It asks to wait 3600 seconds.",
    });
  });

  it("a provider of a known type without a variable for its key", async () => {
    const work = { type: "openai" as const, url: "http://127.0.0.1:9" };
    expect(await failure([{}, { providers: { work } }], { model: "work/any" })).toEqual({
      code: "agent_not_signed_in",
      message:
        "work needs a key, and none is set. Name the variable that holds it as providers.work.keyEnv in the config file.",
    });
  });

  it("a password in an address that the service or the library repeats", async () => {
    const fail = [
      httpError(400, { message: "see http://somebody:hush-hush@proxy/help and c29tZWJvZHk6aHVzaC1odXNo" }),
    ];
    await using model = await startScriptedModel({ scripts: { fail } }).then(({ url, close }) => ({
      url: url.replace("//", "//somebody:hush-hush@"),
      [Symbol.asyncDispose]: close,
    }));
    const { message } = await failure([{}, { providers: { box: { url: model.url } } }], { model: "box/any" });
    expect(message).toContain("see http://proxy/help and [key]");
    expect(message).not.toContain("hush");
  });

  it("a provider that nobody knows", async () => {
    await using world = await ModelWorld.start({});
    await expect(world.run({ model: "nobody/model" })).rejects.toThrow(
      /"nobody\/model" names no model. Write provider\/model with one of the providers anthropic, openai/,
    );
  });
});

describe("agents named after a provider", () => {
  it.each([
    ["openai", "openai/gpt-5.1", "openai-responses"],
    ["anthropic-api", "anthropic/claude-sonnet-4-5", "anthropic-messages"],
  ])("%s uses it and no other", async (name, model, api) => {
    await using world = await ModelWorld.start({ hello: [text("Hello.")] });
    const adapter = world.adapter(name);
    const session = await world.play("Hello [[hello]]", { adapter });
    expect(session.of("session.attached")[0]).toMatchObject({ model });
    expect(world.model.requests[0]?.api).toBe(api);
    const providers = (await adapter.probe()).models?.map(({ id }) => id.split("/")[0]);
    expect([...new Set(providers)]).toEqual([model.split("/")[0]]);
  });

  it.each([
    [
      "anthropic-api",
      "openai/gpt-5",
      '"openai/gpt-5" is no model of Anthropic, the only provider of this agent',
    ],
    ["openai", "anthropic/claude-sonnet-4-5", 'Use the agent "model" for other providers'],
    ["openai", "openai/", "is no model of OpenAI"],
  ])("%s refuses the model %s of another", async (name, model, reason) => {
    await using world = await ModelWorld.start({});
    await expect(world.run({ adapter: world.adapter(name), model })).rejects.toThrow(reason);
  });

  it("take a model of their own that is named like another's", async () => {
    await using world = await ModelWorld.start({ hello: [text("Hello.")] });
    const model = "openai/anthropic/claude-sonnet-4-5";
    const session = await world.play("Hello [[hello]]", { adapter: world.adapter("openai"), model });
    expect(session.of("session.attached")[0]).toMatchObject({ model });
    expect(world.model.requests[0]?.body).toMatchObject({ model: "anthropic/claude-sonnet-4-5" });
  });

  it("need a model to be named when the config says that they have none", async () => {
    await using world = await ModelWorld.start(
      { hello: [text("Hello.")] },
      { providers: { openai: { models: [] } } },
    );
    const adapter = world.adapter("openai");
    await expect(world.run({ adapter })).rejects.toThrow(
      "No model is chosen, and providers.openai.models is empty. Name one with `--model openai/NAME` or `providers.openai.models` in the config file.",
    );
    const session = await world.play("Hello [[hello]]", { adapter, model: "gpt-5" });
    expect(session.text).toBe("Hello.");
  });

  it("say whether a key is set", async () => {
    const environment = { OPENAI_API_KEY: undefined };
    await using world = await ModelWorld.start({}, { environment });
    expect(await world.adapter("openai").probe()).toMatchObject({
      installed: true,
      signedIn: false,
      remedy: "Set OPENAI_API_KEY in the daemon's environment.",
    });
    expect(await world.adapter("anthropic-api").probe()).toMatchObject({ signedIn: true });
  });
});

describe("a session is not made with", () => {
  it.each([
    ["model", "nobody/z", '"nobody/z" names no model. Write provider/model with one of the providers'],
    ["openai", "anthropic/claude-sonnet-4-5", "is no model of OpenAI"],
  ])("%s: the model %s", async (name, model, reason) => {
    await using world = await ModelWorld.start({});
    const settled = Promise.resolve(world.adapter(name).settle!({ model }));
    await expect(settled).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining(reason),
    });
  });

  it.each([
    ["model", "anthropic/claude-9"],
    ["model", "only-its-server-knows"],
    ["openai", "openai/org/model"],
  ])("%s, but with the model %s", async (name, model) => {
    await using world = await ModelWorld.start({});
    expect(await world.adapter(name).settle!({ model })).toEqual({ model });
  });
});

it("the agent itself says what to set, and asks for one key and not for all", async () => {
  const environment = {
    ANTHROPIC_API_KEY: undefined,
    OPENAI_API_KEY: undefined,
    GEMINI_API_KEY: undefined,
    OLLAMA_HOST: undefined,
  };
  const work = { type: "openai" as const };
  await using world = await ModelWorld.start({}, { environment, providers: { work } });
  expect(await world.adapter().probe()).toMatchObject({
    signedIn: false,
    remedy:
      "Set one of ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY in the daemon's environment. For models of your own set OLLAMA_HOST, or describe their server under `providers` in the config file.",
  });
});

it.runIf(process.platform === "linux")("commands find no key in the environment of the agent", async () => {
  const command = "tr '\\0' '\\n' < /proc/$PPID/environ";
  const script = [[toolCall("run_command", { command })], [text("Looked.")]];
  const environment = {
    ANTHROPIC_API_KEY: "sk-very-secret",
    BRAVE_KEY: "brave-very-secret",
    LOCAL_KEY: "local-secret",
  };
  const web = { search: { type: "brave" as const, keyEnv: "BRAVE_KEY" } };
  await using world = await ModelWorld.start({ look: script }, { environment, providers, web });
  const run = {
    permissionMode: "bypass",
    environment: { OPENAI_API_KEY: "session-secret", PLAIN: "plain value" },
  };
  const session = await world.play("Look [[look]]", run);
  const printed = JSON.stringify(session.of("tool.output"));
  expect(printed).toContain("PLAIN=plain value");
  expect(printed).toContain("INTERLINGUA_OWNER=");
  expect(printed).not.toContain("secret");
});

it("raw records hold no header of a provider, no variable of an MCP server and no key", async () => {
  const local = { url: "http://127.0.0.1:9", headers: { "x-team": "header-secret", "x-key": "$LOCAL_KEY" } };
  const environment = { LOCAL_KEY: "variable-secret" };
  const mcpServers = { absent: { command: "/nonexistent/program", env: { TOKEN: "server-secret" } } };
  await using world = await ModelWorld.start(
    { hello: [text("Hello.")] },
    { environment, providers: { local } },
  );
  const session = await world.play("Hello [[hello]]", { mcpServers });
  const records = JSON.stringify(session.outputs);
  expect(records).toContain('\\"method\\":\\"open\\"');
  expect(records).toContain('The MCP server \\\\\\"absent\\\\\\" cannot be used');
  expect(records).not.toContain("secret");
});

it("the model is told that the web cannot be searched, and told again when it tries", async () => {
  const script = [[toolCall("web_search", { query: "birds" })], [text("I see.")]];
  await using world = await ModelWorld.start({ search: script });
  const session = await world.play("Look [[search]]", { answer: () => undefined });
  const sentence = "The web cannot be searched: no provider is set as web.search in the config file.";
  const { tools, system } = world.model.requests[0]!.body as { tools: { name: string }[]; system: unknown };
  expect(tools.map(({ name }) => name)).toContain("web_fetch");
  expect(tools.map(({ name }) => name)).not.toContain("web_search");
  expect(JSON.stringify(system)).toContain(sentence);
  expect(session.of("tool.failed")).toMatchObject([
    {
      error: expect.stringContaining(sentence),
      output: { type: "web_search_error", name: "web_search", code: "not_configured" },
    },
  ]);
});

it("commands and the log see no key", async () => {
  const script = [[toolCall("run_command", { command: "env" })], [text("Looked.")]];
  const key = "sk-very-secret";
  const environment = { ANTHROPIC_API_KEY: key, LOCAL_KEY: key };
  await using world = await ModelWorld.start({ look: script }, { environment, providers });
  const session = await world.play("Look [[look]]", { permissionMode: "bypass" });
  expect(world.model.requests[0]?.headers["x-api-key"]).toBe(key);
  expect(JSON.stringify(session.of("tool.output"))).toContain("PATH=");
  expect(JSON.stringify(session.outputs)).not.toContain(key);
});
