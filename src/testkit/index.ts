/** What authors of adapters and dialects test with. */
export * from "./adapter-contract/index.ts";
export * from "./dialect-contract/index.ts";
export * from "./hostile-agent/index.ts";
export * from "./instrument-store.ts";
export * from "./misbehaving-acp-agent/index.ts";
export * from "./random.ts";
export * from "./recorder/index.ts";
export * from "./recording-player/index.ts";
export * from "./scripted-adapter.ts";
export * from "./scripted-model/index.ts";
export * from "./session-run.ts";
export * from "./sloppy-drafts.ts";
export * from "./until.ts";
