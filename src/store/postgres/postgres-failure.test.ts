import { describe, expect, it } from "vitest";
import { PostgresFailure } from "./postgres-failure.ts";

function failure(cause: object): PostgresFailure {
  return new PostgresFailure(Object.assign(new Error("it failed"), cause), false);
}

describe("a database that is away for now", () => {
  it.each([
    ["whose port is closed", { code: "ECONNREFUSED" }],
    ["whose machine is off", { code: "EHOSTUNREACH" }],
    ["whose name is not known yet", { code: "ENOTFOUND" }],
    ["whose names cannot be looked up yet", { code: "EAI_AGAIN" }],
    ["whose socket is not there yet", { code: "ENOENT", syscall: "connect" }],
    ["that still starts", { code: "57P03" }],
    ["that stops", { code: "57P01" }],
    ["that has no room for another connection", { code: "53300" }],
    ["that does not answer", { message: "timeout expired" }],
    ["that hangs up", { message: "Connection terminated unexpectedly" }],
  ])("is one %s", (_, cause) => expect(failure(cause).isAway).toBe(true));

  it.each([
    ["that refuses the password", { code: "28P01" }],
    ["that does not exist", { code: "3D000" }],
    ["that another daemon has", { code: "55006" }],
    ["whose certificate nobody vouches for", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }],
    ["for which a file is missing", { code: "ENOENT", syscall: "open" }],
    ["that knows no TLS", { message: "The server does not support SSL connections" }],
  ])("is none %s", (_, cause) => expect(failure(cause).isAway).toBe(false));
});
