import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AccessContext, accessOf } from "../access/use-access.tsx";
import type { AskData } from "../chat/page-message.ts";
import { PermissionAnswers } from "./permission-answers.tsx";

const ask: AskData = {
  ask: "a",
  kind: "permission",
  title: "Run it?",
  state: "open",
  options: [
    { id: "once", label: "Allow", effect: "once" },
    { id: "always", label: "Always", effect: "always" },
    { id: "no", label: "Deny", effect: "reject" },
    { id: "never", label: "Never", effect: "reject-always" },
  ],
};

test("a permission that cannot be answered now has no button to press, menus included", () => {
  const reply = { send() {}, sent: undefined, problem: undefined };
  const given = { session: "s", ask, card: { current: null }, isOpen: false, reply, about: {}, onEdit() {} };
  const element = createElement(PermissionAnswers, given as never);
  const access = accessOf({ name: "owner", role: "owner", rights: ["ask.permission"] });
  const html = renderToStaticMarkup(createElement(AccessContext, { value: access }, element));
  const buttons = html.match(/<button[^>]*>/g) ?? [];
  expect(buttons.length).toBeGreaterThan(2);
  expect(buttons.filter((button) => !button.includes(' disabled=""'))).toEqual([]);
});
