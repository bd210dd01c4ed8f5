import { expect, test } from "vitest";
import { safeImage, safeLink } from "./safe-url.ts";

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "/v1/x",
  "x",
])("%s is no link", (url) => expect(safeLink(url)).toBeUndefined());

test.each(["https://example.com/a?b=c", "http://localhost:1/", "mailto:a@b.c"])("%s is a link", (url) =>
  expect(safeLink(url)).toBe(url),
);

test("pictures are shown only when they are carried along", () => {
  expect(safeImage("data:image/png;base64,iVBORw0KGgo=")).toBeDefined();
  expect(safeImage("data:image/svg+xml;base64,PHN2Zz4=")).toBeUndefined();
  expect(safeImage("https://example.com/pixel.png")).toBeUndefined();
});
