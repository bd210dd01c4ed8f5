/** The mock agent: scripted, deterministic, needs nothing. The demo and the test double, run like a real agent. */

import { z } from "zod";
import type { BackendAdapter } from "../../core/adapter.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { extendSession } from "../transport/extend-session.ts";
import { openChildSession } from "../transport/open-child-session.ts";
import { readOptions } from "../transport/read-options.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS, MODELS, NAME, SETTINGS, VERSION } from "./manifest.ts";
import { outbound } from "./outbound.ts";

export interface MockAdapterOptions {
  readonly processHost: ProcessHost;
  /** Gives the directory where it keeps its conversations, one file each. Called at each connection. */
  readonly stateDirectory: () => string;
}

/** The settings a session may give in `adapterOptions`. */
const adapterOptionsSchema = z.strictObject({
  /** How long its pauses are: 1 is human, 0 is none. */
  pace: z.number().min(0).max(100).optional(),
});

export function createMockAdapter(options: MockAdapterOptions): BackendAdapter {
  const { processHost, stateDirectory } = options;
  return {
    name: NAME,
    capabilities: CAPABILITIES,
    environmentKeys: ENVIRONMENT_KEYS,
    async probe() {
      return {
        installed: true,
        version: VERSION,
        signedIn: true,
        models: MODELS.map(({ id, name }) => ({ id, name })),
      };
    },
    settle(wanted) {
      assertOffered(NAME, SETTINGS, wanted.settings);
      return wanted;
    },
    release: (sessionId) => processHost.endSession(sessionId),
    connect: async (connectOptions) => {
      const { pace } = readOptions("The mock", adapterOptionsSchema, connectOptions);
      return extendSession(CAPABILITIES, (observe) =>
        openChildSession({
          agent: NAME,
          processHost,
          launch: launch(connectOptions, stateDirectory()),
          translator: outbound,
          encoder: createInbound(connectOptions, pace),
          observe,
        }),
      );
    },
  };
}
