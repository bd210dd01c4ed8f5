import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { ModelProviders } from "../../core/model-provider.ts";
import { text } from "../../testkit/scripted-model/index.ts";
import type { SessionRun } from "../../testkit/session-run.ts";
import { until } from "../../testkit/until.ts";
import { withListedModels } from "./list-models.ts";
import { resolveProviders } from "./providers.ts";
import { ModelWorld } from "./with-model.test-support.ts";

const WITHOUT_KEYS = {
  ANTHROPIC_API_KEY: undefined,
  OPENAI_API_KEY: undefined,
  GEMINI_API_KEY: undefined,
  OLLAMA_HOST: undefined,
  ANTHROPIC_BASE_URL: undefined,
  OPENAI_BASE_URL: undefined,
  GOOGLE_GEMINI_BASE_URL: undefined,
};

async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, [Symbol.asyncDispose]: stop };
}

const answering =
  (body: string): RequestListener =>
  (_, response) =>
    void response.end(body);

const listOf = (...names: unknown[]) => JSON.stringify({ data: names.map((id) => ({ id })) });

describe("a server's list of models", () => {
  /** Long: a busy machine must not change the answer. */
  async function listed(listener: RequestListener, timeoutMs = 60_000, settings = {}) {
    await using server = await startServer(listener);
    const environment = { BOX_KEY: "box-secret" };
    const providers = resolveProviders({ box: { url: server.url, ...settings } }, environment);
    return (await withListedModels(providers, environment, { timeoutMs })).get("box")!.models;
  }

  it("is asked for where the config has none, without what cannot talk", async () => {
    const names = ["toy", "org/large", "nomic-embed-text", "toy", 7, ""];
    expect(await listed(answering(listOf(...names)))).toEqual(["toy", "org/large"]);
  });

  it("is asked for with the key and the headers of the provider", async () => {
    const seen: unknown[] = [];
    const settings = { keyEnv: "BOX_KEY", headers: { "X-Team": "$BOX_KEY" } };
    await listed(
      ({ url, headers }, response) => {
        seen.push([url, headers.authorization, headers["x-team"]]);
        response.end(listOf());
      },
      undefined,
      settings,
    );
    expect(seen).toEqual([["/v1/models", "Bearer box-secret", "box-secret"]]);
  });

  it.each([
    ["models: the config has them", { models: ["own"] }, ["own"]],
    ["models: the config says that there are none", { models: [] }, []],
    ["a key that is not set", { keyEnv: "OTHER_KEY" }, []],
  ])("is not asked for with %s", async (_, settings, models) => {
    let requests = 0;
    const count: RequestListener = (_request, response) => {
      requests += 1;
      response.end(listOf("toy"));
    };
    expect(await listed(count, undefined, settings)).toEqual(models);
    expect(requests).toBe(0);
  });

  it.each<[string, RequestListener]>([
    ["no JSON", answering("<html>")],
    ["null", answering("null")],
    ["other JSON", answering('{"data":[null,"a",{"name":"b"}]}')],
    ["an error", (_, response) => void response.writeHead(500).end(listOf("toy"))],
    ["another address", (_, response) => void response.writeHead(302, { location: "/other" }).end()],
    ["a broken connection", ({ socket }) => void socket.destroy()],
    [
      "no end",
      (_, response) => {
        const write = (): unknown => !response.destroyed && response.write("x".repeat(65536), write);
        write();
      },
    ],
  ])("is empty when the answer is %s", async (_, listener) => {
    expect(await listed(listener)).toEqual([]);
  });

  it.each<[string, RequestListener]>([
    ["never answers", () => {}],
    ["never ends its answer", (_, response) => void response.write('{"data":[')],
  ])("is empty when the server %s", async (_, listener) => {
    expect(await listed(listener, 100)).toEqual([]);
  });
});

describe("a local server without a key of any service", () => {
  const scripts = { hello: [text("Hello.")] };

  function noModel(error: Error): undefined {
    if (!error.message.includes("No model is chosen")) throw error;
  }

  it.each(["ollama", "box"])("%s is the default, and its models are listed", async (name) => {
    await using server = await startServer(answering(listOf("toy", "large")));
    const isOllama = name === "ollama";
    const environment = { ...WITHOUT_KEYS, ...(isOllama && { OLLAMA_HOST: server.url }) };
    const providers: ModelProviders = isOllama ? {} : { box: { url: server.url } };
    await using world = await ModelWorld.start(scripts, { environment, providers });
    const ids = [`${name}/toy`, `${name}/large`];
    // A list that does not come in time is not waited for: on a busy machine the next one does.
    let status = await world.adapter().probe();
    await until(async () => {
      status = await world.adapter().probe();
      return status.models?.length !== 0;
    });
    expect(status).toMatchObject({ signedIn: true, models: ids.map((id) => ({ id })) });
    let session: SessionRun | undefined;
    await until(async () => {
      session = await world.run().catch(noModel);
      return session !== undefined;
    });
    await session?.close();
    expect(session?.of("session.attached")[0]).toMatchObject({
      model: ids[0],
      models: ids.map((id) => ({ id })),
    });
  });

  it("that never answers makes no probe hang, and the session says how to name a model", async () => {
    await using server = await startServer(() => {});
    await using world = await ModelWorld.start(scripts, {
      environment: WITHOUT_KEYS,
      providers: { box: { url: server.url } },
    });
    expect(await world.adapter().probe()).toMatchObject({ signedIn: true, models: [] });
    await expect(world.run()).rejects.toThrow(
      `No model is chosen, and box at ${server.url} names none. Name one with \`--model box/NAME\` or \`providers.box.models\` in the config file, or set the key of another provider.`,
    );
  });

  it("that never answers keeps nobody from the models of others", async () => {
    await using server = await startServer(() => {});
    await using world = await ModelWorld.start(scripts, { providers: { box: { url: server.url } } });
    const session = await world.play("Hello [[hello]]");
    expect(session.text).toBe("Hello.");
    expect(session.of("session.attached")[0]).toMatchObject({ model: "anthropic/claude-sonnet-4-5" });
  });
});

describe("a provider whose key is not set", () => {
  const box = { url: "http://127.0.0.1:9", keyEnv: "BOX_KEY", models: ["small"] };

  it("is not signed in, and the turn names the variable", async () => {
    await using world = await ModelWorld.start({}, { environment: WITHOUT_KEYS, providers: { box } });
    const status = await world.adapter().probe();
    expect(status).toMatchObject({ signedIn: false, remedy: expect.stringContaining("BOX_KEY") });
    const session = await world.run();
    const { error } = await session.turn("Hello");
    await session.close();
    expect(error).toEqual({
      code: "agent_not_signed_in",
      message: "box needs a key, and none is set. Set BOX_KEY in the daemon's environment.",
    });
  });

  it("is not preferred to one that works without", async () => {
    const near = { url: "http://127.0.0.1:9", models: ["near"] };
    await using world = await ModelWorld.start({}, { environment: WITHOUT_KEYS, providers: { box, near } });
    expect(await world.adapter().probe()).toMatchObject({ signedIn: true, models: [{ id: "near/near" }] });
    const session = await world.run();
    await session.close();
    expect(session.of("session.attached")[0]).toMatchObject({ model: "near/near" });
  });
});
