import { expect, test } from "vitest";
import { createLogger } from "./create-logger.ts";

function logged(
  write: (logger: ReturnType<typeof createLogger>) => void,
  options: { plain?: boolean; level?: string } = {},
) {
  const lines: string[] = [];
  const logger = createLogger({
    environment: { INTERLINGUA_LOG_LEVEL: options.level },
    destination: { write: (line) => lines.push(line) },
    plain: options.plain ?? false,
  });
  write(logger);
  return lines;
}

test("secrets are hidden wherever they stand", () => {
  const secret = "very-secret";
  const [line = ""] = logged((logger) =>
    logger.info(
      {
        token: secret,
        authorization: secret,
        headers: { authorization: secret },
        request: { headers: { authorization: secret }, body: { env: { KEY: secret } } },
        session: { env: { KEY: secret }, id: "s1" },
      },
      "hello",
    ),
  );
  expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toMatchObject({
    level: "info",
    msg: "hello",
    session: { id: "s1", env: "[hidden]" },
  });
});

test("errors come with their message, under either name", () => {
  for (const name of ["err", "error"]) {
    const [line = ""] = logged((logger) => logger.error({ [name]: new Error("disk full") }, "failed"));
    expect(JSON.parse(line)[name]).toMatchObject({ message: "disk full", stack: expect.any(String) });
  }
});

test("plain lines are for reading, and cannot steer the terminal", () => {
  const lines = logged((logger) => logger.warn({ title: "\u001b[2Jgone", pids: [1, 2] }, "look"), {
    plain: true,
  });
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d warn {2}look title= \[2Jgone pids=\[1,2\]\n$/),
  ]);
});

test("the level is the user's", () => {
  expect(logged((logger) => logger.info("hello"), { level: "warn" })).toEqual([]);
  expect(() => logged(() => {}, { level: "loud" })).toThrow(/INTERLINGUA_LOG_LEVEL.*Use one of trace, debug/);
});
