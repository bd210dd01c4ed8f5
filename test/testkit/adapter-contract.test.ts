/** The contract suite itself: honest adapters pass it, and each lie is found. */
import { describe, expect, it } from "vitest";
import type { BackendAdapter, BackendSession, ConnectOptions } from "../../src/core/adapter.ts";
import type { BackendCapabilities } from "../../src/core/capability.ts";
import {
  ADAPTER_CHECKS,
  type AdapterContract,
  UNIFIED_CHECKS,
} from "../../src/testkit/adapter-contract/index.ts";
import { contractOf, EVERYTHING, NOTHING } from "./able-agent.test-support.ts";

/** What a check complains of; undefined where it has nothing to say. */
async function complaint(contract: AdapterContract, check: string): Promise<string | undefined> {
  return ADAPTER_CHECKS[check]!(contract).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

describe.each([
  ["everything", EVERYTHING],
  ["nothing", NOTHING],
])("an honest agent that can do %s", (_name, able) => {
  it.each(Object.keys(ADAPTER_CHECKS))("%s", async (check) => {
    await ADAPTER_CHECKS[check]!(contractOf({ declared: able, able }));
  });

  it.each(Object.keys(UNIFIED_CHECKS))("by UnifiedMessages: %s", async (check) => {
    await UNIFIED_CHECKS[check]!(contractOf({ declared: able, able }));
  });
});

describe("by UnifiedMessages, each lie is found", () => {
  it.each<[string, Partial<BackendCapabilities>]>([
    ["PermissionHandler", { permissions: false }],
    ["PermissionHandler: a denial by message", { permissions: false }],
    ["accepts resume option", { resume: false }],
    ["Configurable: model can be changed", { setModel: false }],
    ["Configurable: permission mode can be changed", { permissionModes: ["default"] }],
  ])("%s: %j", async (check, lacking) => {
    const lie = contractOf({ declared: EVERYTHING, able: { ...EVERYTHING, ...lacking } });
    await expect(UNIFIED_CHECKS[check]!(lie)).rejects.toThrow();
  });

  it("connect() that never fails", async () => {
    const honest = contractOf({ declared: EVERYTHING, able: EVERYTHING });
    const lie = { ...honest, failure: () => ({}) };
    await expect(UNIFIED_CHECKS["connect() rejects on connection failure"]!(lie)).rejects.toThrow(
      /a session came/,
    );
  });

  it("one session that gets what is meant for another", async () => {
    const honest = contractOf({ declared: EVERYTHING, able: EVERYTHING });
    const { answer } = honest.scenarios;
    const lie = { ...honest, scenarios: { ...honest.scenarios, answer: { ...answer, holds: () => true } } };
    await expect(UNIFIED_CHECKS["supports multiple concurrent sessions"]!(lie)).rejects.toThrow(
      /meant for the other/,
    );
  });
});

type Flag = {
  [Key in keyof BackendCapabilities]-?: Required<BackendCapabilities>[Key] extends boolean ? Key : never;
};

const CHECK_OF: readonly (readonly [Flag[keyof Flag], string])[] = [
  ["streaming", "streams text in pieces exactly where that is declared"],
  ["permissions", "PermissionHandler: a permission is asked for, and a yes arrives"],
  ["permissions", "PermissionHandler: a permission is asked for, and a no arrives"],
  ["questions", "puts questions where that is declared, and gets the answers"],
  ["slashCommands", "has slash commands exactly where that is declared"],
  ["steer", "Steerable: a prompt can be folded into the running turn, or it is said that it cannot"],
  [
    "reportsSteering",
    "Steerable: a prompt can be folded into the running turn, or it is said that it cannot",
  ],
  ["resume", "resumes a conversation exactly where that is declared"],
  ["rewind", "forgets the end of a conversation, or says that it cannot"],
  ["stopTasks", "ends a task in the background, or says that it cannot"],
  ["images", "takes images exactly where that is declared"],
  ["setModel", "Configurable: the model can be changed, or it is said that it cannot"],
];

describe.each(CHECK_OF)("%s: %s", (flag, check) => {
  it("is found out when it is declared and does not work", async () => {
    const able = { ...EVERYTHING, [flag]: false };
    expect(await complaint(contractOf({ declared: EVERYTHING, able }), check)).toMatch(/declared/);
  });

  it("is found out when it works and is not declared", async () => {
    const declared = { ...EVERYTHING, [flag]: false };
    expect(await complaint(contractOf({ declared, able: EVERYTHING }), check)).toMatch(/declare/);
  });
});

const ABLE_TO_LESS: BackendCapabilities = { ...EVERYTHING, modes: ["build"], permissionModes: ["default"] };

describe("modes", () => {
  it.each(["Configurable: each declared permission mode can be set", "each declared mode can be set"])(
    "%s: found out when it is declared and does not work",
    async (check) => {
      const lie = contractOf({ declared: EVERYTHING, able: ABLE_TO_LESS });
      expect(await complaint(lie, check)).toMatch(/not after/);
    },
  );

  it("are found out when they work and are not declared", async () => {
    const lie = contractOf({ declared: ABLE_TO_LESS, able: EVERYTHING });
    const check = "refuses permission modes it does not declare";
    expect(await complaint(lie, check)).toMatch(/nothing declares it/);
  });

  it("are found out when a session begins in another one than was said", async () => {
    const lie = pretending((adapter) => ({
      connect: (options: ConnectOptions) => adapter.connect({ ...options, permissionMode: "default" }),
    }));
    expect(await complaint(lie, "a session that bypasses permissions does not ask")).toBeDefined();
  });
});

/** An adapter that is honest but for what happens to its sessions. */
function changing(
  change: (session: BackendSession, options: ConnectOptions, adapter: BackendAdapter) => object,
): AdapterContract {
  return contractOf({ declared: EVERYTHING, able: EVERYTHING }, (adapter) => ({
    ...adapter,
    async connect(options) {
      const session = await adapter.connect(options);
      return { ...session, ...change(session, options, adapter) };
    },
  }));
}

/** An adapter that is honest but for what it does at the outside. */
function pretending(change: (adapter: BackendAdapter) => object): AdapterContract {
  return contractOf({ declared: EVERYTHING, able: EVERYTHING }, (adapter) => ({
    ...adapter,
    ...change(adapter),
  }));
}

const { streaming: _streaming, ...INCOMPLETE } = EVERYTHING;

const LIES: readonly (readonly [string, AdapterContract, RegExp])[] = [
  ["exposes a name", pretending(() => ({ name: "" })), /name/],
  ["exposes all capabilities", pretending(() => ({ capabilities: INCOMPLETE })), /streaming/],
  [
    "can be probed",
    pretending(() => ({ probe: async () => ({ installed: false, remedy: "Install it." }) })),
    /Install it/,
  ],
  ["connects and returns a session with the given id", changing(() => ({ sessionId: "another" })), /another/],
  [
    "sends a prompt and receives an answer",
    changing((session) => ({ send: () => session.send({ type: "interrupt" }) })),
    /interrupted/,
  ],
  [
    "close() ends the stream with the exit, more than once, and in the middle of a turn",
    changing(() => ({ close: async () => {} })),
    /does not end/,
  ],
  [
    "send() throws at once after close()",
    changing((session) => ({
      send: async (...given: Parameters<typeof session.send>) => session.send(...given),
    })),
    /has to throw/,
  ],
  [
    "connect() rejects on failure and leaves no process",
    pretending((adapter) => ({
      connect: (options: ConnectOptions) => adapter.connect({ ...options, cwd: "/somewhere" }),
    })),
    /cannot work/,
  ],
  [
    "refuses adapterOptions it does not know",
    pretending((adapter) => ({
      connect: (options: ConnectOptions) => adapter.connect({ ...options, adapterOptions: {} }),
    })),
    /in silence/,
  ],
  [
    "takes the adapterOptions it documents",
    pretending((adapter) => ({
      connect: (options: ConnectOptions) =>
        adapter.connect(options.adapterOptions ? { ...options, adapterOptions: { strange: 1 } } : options),
    })),
    /strange/,
  ],
  [
    "Interruptible: a turn can be stopped, and the next one works",
    changing(() => ({ interrupt: () => {} })),
    /not after/,
  ],
  [
    "Interruptible: interrupt() throws after close()",
    changing(() => ({ interrupt: () => {} })),
    /Missing expected exception/,
  ],
  [
    "PermissionHandler: a permission is asked for, and a no arrives",
    changing((session) => ({
      respondToPermission: (ask: string) => void session.send({ type: "reply", ask, option: "yes" }),
    })),
    /"deny"/,
  ],
  [
    "rejects a conversation that never was",
    pretending((adapter) => ({
      connect: ({ resume: _resume, ...options }: ConnectOptions) => adapter.connect(options),
    })),
    /does not exist/,
  ],
  [
    "rejects a conversation that never was",
    pretending((adapter) => ({
      connect: (options: ConnectOptions) =>
        adapter.connect(options).catch(() => {
          throw new Error("It did not work.");
        }),
    })),
    /asked for again/,
  ],
  ["copies a conversation exactly where that is declared", changing(() => ({ fork: undefined })), /fork/],
];

describe("other lies", () => {
  it.each(LIES)("%s", async (check, lie, words) => {
    expect(await complaint(lie, check)).toMatch(words);
  });

  it("sessions that share a fate", async () => {
    const sessions: BackendSession[] = [];
    const lie = contractOf({ declared: EVERYTHING, able: EVERYTHING }, (adapter) => ({
      ...adapter,
      async connect(options) {
        const session = await adapter.connect(options);
        sessions.push(session);
        return {
          ...session,
          close: async () => void (await Promise.all(sessions.map((one) => one.close()))),
        };
      },
    }));
    expect(await complaint(lie, "closing one session does not affect another")).toMatch(/gone|closed/i);
  });

  it("sessions that share a conversation", async () => {
    const lie = contractOf({ declared: EVERYTHING, able: EVERYTHING }, (adapter) => {
      const shared = adapter.connect({ sessionId: "shared", cwd: "/somewhere" });
      return { ...adapter, connect: async ({ sessionId }) => ({ ...(await shared), sessionId }) };
    });
    expect(await complaint(lie, "supports several sessions at once")).toBeDefined();
  });
});
