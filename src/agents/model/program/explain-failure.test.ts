import { expect, it } from "vitest";
import { resolveProviders } from "../providers.ts";
import type { ChosenModel } from "./create-model.ts";
import { explainFailure } from "./explain-failure.ts";

function explained(url: string): string {
  const provider = resolveProviders({ box: { url } }, {}).get("box")!;
  const model = { provider, model: "any", secrets: [] as string[] } as unknown as ChosenModel;
  return explainFailure(Object.assign(new Error("fetch failed"), { code: "ENOTFOUND" }), model).failure
    .message;
}

it.each(["https://api.openai.com/v1", "http://8.8.8.8/v1", "http://[2606:4700::1]/v1"])(
  "nobody is told to start the service at %s",
  (url) => {
    expect(explained(url)).toBe(
      `box at ${url} cannot be reached (ENOTFOUND). Check the network, or correct providers.box.url.`,
    );
  },
);

it.each([
  "http://127.0.0.1:8000/v1",
  "http://[::1]:8000/v1",
  "http://localhost:8000/v1",
  "http://192.168.1.5/v1",
  "http://box:8000/v1",
  "http://box.local:8000/v1",
])("a server at %s is one to start", (url) => {
  expect(explained(url)).toBe(
    `box at ${url} cannot be reached (ENOTFOUND). Start it, or correct providers.box.url.`,
  );
});
