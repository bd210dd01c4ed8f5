import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { Invitations, MAX_INVITATIONS, type NewInvitation } from "./invitations.ts";
import { TokenBook } from "./token-book.ts";

const DAY = 24 * 60 * 60 * 1000;

let store: MemoryStore;
let time: number;
let tokens: TokenBook;
let invitations: Invitations;

beforeEach(async () => {
  store = new MemoryStore();
  time = 1_000_000;
  const now = () => time;
  tokens = await TokenBook.open({ store, ownToken: "own", logger: pino({ enabled: false }), now });
  invitations = new Invitations({ store, tokens, now });
});

afterEach(() => tokens.close());

function invite(more: Partial<NewInvitation> = {}) {
  return invitations.create({
    session: "s",
    role: "participant",
    expiresInMs: DAY,
    createdBy: "owner",
    ...more,
  });
}

const redeemed = (code: string, name?: string) =>
  invitations.redeem(code, name).then(
    ({ row }) => row.name,
    ({ code }) => code,
  );

describe("a code", () => {
  it("gives a token for its session, for a day", async () => {
    const { code, row } = await invite({ role: "observer" });
    time += DAY - 1;
    const made = await invitations.redeem(code, "anna");
    expect(tokens.find(made.token)).toEqual({
      token: made.row.id,
      name: "anna",
      role: "observer",
      sessions: ["s"],
      expiresAt: time + DAY,
    });
    expect(await store.getInvitation(row.id)).toMatchObject({ usedAt: time, token: made.row.id });
    expect(made.row).toMatchObject({ invitation: row.id, createdBy: "owner" });
  });

  it("is stored as a hash only", async () => {
    const { code } = await invite();
    expect(JSON.stringify(await store.listInvitations())).not.toContain(code.slice(-43));
  });

  it("is of no use to whoever comes second, comes late, or guesses", async () => {
    const [first, late, other] = [await invite(), await invite({ expiresInMs: 1000 }), await invite()];
    expect(await redeemed(first.code)).toBe("guest");
    expect(await redeemed(first.code)).toBe("invitation_used");
    time += 1000;
    expect(await redeemed(late.code)).toBe("invitation_expired");
    const guesses = [
      "",
      "x",
      other.code.slice(0, -1),
      `${other.code.slice(0, 21)}${first.code.slice(21)}`,
      other.code.replace("inv", "itk"),
    ];
    for (const guess of guesses) expect(await redeemed(guess)).toBe("invitation_not_found");
    expect(tokens.list()).toHaveLength(1);
    expect(await redeemed(other.code)).toBe("guest 2");
  });

  it("of a thousand that two send at the same moment each gives one token", async () => {
    for (let n = 0; n < 1000; n += 1) {
      const { code, row } = await invite();
      const answers = await Promise.all([redeemed(code, "anna"), redeemed(code, "ben")]);
      expect(answers.filter((answer) => answer === "invitation_used")).toHaveLength(1);
      expect(tokens.list()).toHaveLength(1);
      expect(await store.listTokens()).toHaveLength(1);
      await invitations.remove("s", row.id);
    }
  });

  it("does not outlive the right to invite", async () => {
    const { row } = await invite({ until: time + 5 });
    expect(row.expiresAt).toBe(time + 5);
  });
});

describe("names", () => {
  it("are those of the invitation, else those people give, each once", async () => {
    expect(await redeemed((await invite({ name: "Anna" })).code, "Ben")).toBe("Anna");
    expect(await redeemed((await invite()).code, "anna")).toBe("anna 2");
    expect(await redeemed((await invite()).code, "Anna")).toBe("Anna 3");
    expect(await redeemed((await invite()).code, "owner")).toBe("owner 2");
  });
});

describe("an invitation that is taken back", () => {
  it("gives no token any more, and ends the one it gave", async () => {
    const [unused, used] = [await invite(), await invite()];
    const { token } = await invitations.redeem(used.code);
    const ended: string[] = [];
    tokens.onEnd((id) => ended.push(id));
    for (const { row } of [unused, used]) await invitations.remove("s", row.id);
    expect(await redeemed(unused.code)).toBe("invitation_not_found");
    expect(tokens.find(token)).toBeUndefined();
    expect(ended).toHaveLength(1);
    await expect(invitations.remove("s", used.row.id)).rejects.toMatchObject({
      code: "invitation_not_found",
    });
  });

  it("is not one of another session", async () => {
    const { row } = await invite();
    await expect(invitations.remove("t", row.id)).rejects.toMatchObject({ code: "invitation_not_found" });
    expect(await invitations.list("s")).toHaveLength(1);
  });

  it("while it is exchanged leaves no token, whoever is first", async () => {
    for (let n = 0; n < 100; n += 1) {
      const { code, row } = await invite();
      const removing = n % 2 ? undefined : invitations.remove("s", row.id);
      const redeeming = redeemed(code);
      await (removing ?? invitations.remove("s", row.id));
      await redeeming;
      expect(tokens.list()).toEqual([]);
      expect(await store.listTokens()).toEqual([]);
    }
  });
});

describe("the list", () => {
  it("has those that can be used, and those whose token can", async () => {
    const [short, long, used] = [await invite({ expiresInMs: 1000 }), await invite(), await invite()];
    await invitations.redeem(used.code);
    const ids = async () => (await invitations.list("s")).map(({ id }) => id);
    expect(await ids()).toEqual([short.row.id, long.row.id, used.row.id]);
    time += 1000;
    expect(await ids()).toEqual([long.row.id, used.row.id]);
    time += DAY;
    expect(await ids()).toEqual([]);
    expect(await invitations.list("t")).toEqual([]);
  });

  it("has an end, and what expired long ago leaves the store", async () => {
    for (let n = 0; n < MAX_INVITATIONS; n += 1) await invite();
    await expect(invite()).rejects.toMatchObject({ code: "too_many_tokens" });
    await invite({ session: "t" });
    time += 2 * DAY;
    await invite();
    expect(await store.listInvitations()).toHaveLength(1);
  });
});
