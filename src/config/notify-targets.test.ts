import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { configFileSchema } from "./config-file.ts";
import { notifyTargets } from "./notify-targets.ts";

const ENVIRONMENT = { HOOK: "https://hooks.example.com/T0/PASSWORD", KEY: "k".repeat(20), SHORT: "short" };

test("variables are put in, and everything has its default", () => {
  const [target] = notifyTargets(
    [{ url: "$HOOK", secret: "$KEY", headers: { "X-Key": "a $KEY" } }],
    ENVIRONMENT,
  );
  expect(target).toMatchObject({
    format: "json",
    secret: ENVIRONMENT.KEY,
    headers: { "X-Key": `a ${ENVIRONMENT.KEY}` },
  });
  expect(target!.url.href).toBe(ENVIRONMENT.HOOK);
  expect([...target!.events]).toEqual(["ask", "turn_ended", "turn_failed", "agent_failed"]);
});

test("http is for this machine alone", () => {
  for (const url of ["http://127.0.0.1:1/x", "http://localhost/x", "http://[::1]:8080/"]) {
    expect(notifyTargets([{ url }], {})).toHaveLength(1);
  }
  for (const url of ["http://example.com/x", "http://10.0.0.1/", "http://127.0.0.1.example.com/"]) {
    expect(() => notifyTargets([{ url }], {})).toThrow("notify.0.url: http leaves this machine unencrypted");
  }
});

test("each mistake is named by its place, without what stands there", () => {
  for (const [setting, message] of [
    [{ url: "ftp://example.com" }, "notify.0.url: must be a URL"],
    [{ url: "nonsense" }, "notify.0.url: must be a URL"],
    [{ url: "https://ada:PASSWORD@example.com" }, "notify.0.url: must not hold a user name"],
    [{ url: "$MISSING" }, "notify.0.url: the variable MISSING is not set"],
    [{ url: "$HOOK", secret: "$SHORT" }, "notify.0.secret: must have at least 16"],
    [{ url: "https://ntfy.sh/", format: "ntfy" }, "notify.0.url: has no topic"],
    [{ url: "$HOOK", headers: { "a b": "c" } }, 'notify.0.headers: "a b" is no name'],
    [{ url: "$HOOK", headers: { Host: "c" } }, "notify.0.headers.Host: is set by the request itself"],
    [{ url: "$HOOK", headers: { a: "ü\n" } }, "notify.0.headers.a: may hold only printable"],
    [{ url: "$HOOK", page: "https://box/#token=PASSWORD" }, "notify.0.page: must be the address of the page"],
  ] as const) {
    const act = () => notifyTargets([setting], ENVIRONMENT);
    expect(act).toThrow(ConfigError);
    expect(act).toThrow(message);
    expect(act).not.toThrow("PASSWORD");
  }
});

test("the file takes a bounded list of what is known", () => {
  const problem = (notify: unknown) =>
    configFileSchema.safeParse({ notify }).error?.issues[0]?.path.join(".");
  expect(problem([{ url: "https://a" }])).toBeUndefined();
  expect(problem([{ url: "" }])).toBe("notify.0.url");
  expect(problem([{ url: "https://a", events: [] }])).toBe("notify.0.events");
  expect(problem([{ url: "https://a", events: ["prompt"] }])).toBe("notify.0.events.0");
  expect(problem([{ url: "https://a", format: "xml" }])).toBe("notify.0.format");
  expect(problem([{ url: "https://a", follow: true }])).toBe("notify.0");
  expect(problem(Array.from({ length: 11 }, () => ({ url: "https://a" })))).toBe("notify");
});
