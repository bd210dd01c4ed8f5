import { agentNameOf } from "../../core/agent-alias.ts";
import type { InvitationRow, TokenRow } from "../../core/people-store.ts";
import type { Principal } from "../../core/principal.ts";
import { hasRight, RIGHTS, type Right, type Role } from "../../core/rights.ts";
import { agentNotFound, invalidField } from "../../protocol/refusals.ts";
import { createInvitationSchema } from "../../protocol/schemas/people.ts";
import { callerOf } from "../guard/caller.ts";
import type { AppContext, Handlers } from "../mount.ts";
import { type PageLink, pageLink } from "../people/page-link.ts";
import type { HandlerDependencies } from "./index.ts";

type PeopleHandlers = Pick<
  Handlers,
  | "getMe"
  | "createToken"
  | "listTokens"
  | "revokeToken"
  | "createInvitation"
  | "listInvitations"
  | "revokeInvitation"
  | "redeemInvitation"
  | "listAudit"
>;

/** What an invitation may give at most. */
type InvitedRole = Extract<Role, "observer" | "participant">;

export function peopleHandlers(dependencies: HandlerDependencies): PeopleHandlers {
  const { engine, people, checks, config, address } = dependencies;
  const { tokens, invitations, audit } = people;

  async function knownAgent(name: string, by: Principal): Promise<string> {
    const agents = (await engine.run("listAgents", {}, by)).map((agent) => agent.name);
    const agent = agentNameOf(name);
    if (!agents.includes(agent)) throw agentNotFound(name, agents);
    return agent;
  }

  /** What is written down waits to be on disk, so that nobody gets or loses access without a trace. */
  function note(by: Principal, action: string, detail: string, session?: string): Promise<void> {
    const { token, role } = by.access;
    return audit.write({
      at: Date.now(),
      by: by.name,
      token,
      role,
      dialect: by.dialect,
      action,
      session,
      outcome: "done",
      detail,
    });
  }

  function linkTo(fragment: string, { req }: AppContext): PageLink {
    const { host, allowedHosts } = config;
    const request = { host: req.header("host"), origin: req.header("origin") };
    return pageLink(fragment, { address: address(), host, allowedHosts, request });
  }

  return {
    getMe(_, context) {
      const { access } = callerOf(context);
      const rights = (Object.keys(RIGHTS) as Right[]).filter((right) => hasRight(access, right));
      const { sessions, agents, ...rest } = access;
      return {
        status: 200,
        body: {
          ...rest,
          ...(sessions && { sessions: [...sessions] }),
          ...(agents && { agents: [...agents] }),
          rights,
        },
      };
    },

    async createToken({ body }, context) {
      const by = callerOf(context);
      const agents = body.agents && (await Promise.all(body.agents.map((name) => knownAgent(name, by))));
      const expiresAt = expiryOf(body.expiresAt, by.access.expiresAt);
      const { token, row } = await tokens.create({ ...body, agents, expiresAt, createdBy: by.name });
      await note(by, "token.create", `${row.id} "${row.name}", ${row.role}`);
      return { status: 201, body: { ...tokenView(row), token, ...linkTo(`token=${token}`, context) } };
    },

    async listTokens() {
      await people.refreshTokens();
      return { status: 200, body: { tokens: tokens.list().map(tokenView) } };
    },

    async revokeToken({ params }, context) {
      await people.refreshTokens();
      const row = await tokens.revoke(params.token);
      await note(callerOf(context), "token.revoke", `${row.id} "${row.name}"`);
      return { status: 204 };
    },

    async createInvitation({ params, body }, context) {
      const by = callerOf(context);
      const { id: session } = await engine.run("getSession", { session: params.id }, callerOf(context));
      const { code, row } = await invitations.create({
        ...(body ?? createInvitationSchema.parse({})),
        session,
        createdBy: by.name,
        until: by.access.expiresAt,
      });
      await note(by, "invitation.create", `${row.id}, ${row.role}`, session);
      return {
        status: 201,
        body: { ...invitationView(row), code, ...linkTo(`/join/${code}`, context) },
      };
    },

    async listInvitations({ params }, context) {
      const { id } = await engine.run("getSession", { session: params.id }, callerOf(context));
      return { status: 200, body: { invitations: (await invitations.list(id)).map(invitationView) } };
    },

    async revokeInvitation({ params }, context) {
      const { id: session } = await engine.run("getSession", { session: params.id }, callerOf(context));
      const row = await invitations.remove(session, params.invitation);
      await note(callerOf(context), "invitation.revoke", row.id, session);
      return { status: 204 };
    },

    async redeemInvitation({ body }, context) {
      const { token, row, session } = await checks.guessing(context.env.incoming, () =>
        invitations.redeem(body.code, body.name),
      );
      const { id, name, role, expiresAt } = row;
      const by = { name, dialect: "v1", access: { token: id, name, role } };
      await note(by, "invitation.redeem", `${row.invitation}: ${id} "${name}", ${role}`, session);
      const invited = { role: role as InvitedRole, expiresAt: expiresAt! };
      return { status: 201, body: { token, session, name, ...invited } };
    },

    async listAudit({ query }) {
      const { entries, before } = await audit.read(query);
      return { status: 200, body: { entries, hasMore: before !== undefined, before } };
    },
  };
}

/** Nobody gives access for longer than they have it. */
function expiryOf(wanted: number | undefined, own: number | undefined): number | undefined {
  if (wanted !== undefined && wanted <= Date.now())
    throw invalidField(
      "expiresAt",
      "is in the past",
      "The token would have expired already. Give a later time, in milliseconds since the epoch.",
    );
  if (wanted !== undefined && own !== undefined && wanted > own)
    throw invalidField(
      "expiresAt",
      "is later than that of the token that makes it",
      "A token cannot outlive the one that makes it. Give an earlier time, or leave it out.",
    );
  return wanted ?? own;
}

/** Without its hash. */
function tokenView({ hash: _, sessions, agents, ...row }: TokenRow) {
  return { ...row, ...(sessions && { sessions: [...sessions] }), ...(agents && { agents: [...agents] }) };
}

function invitationView({ hash: _, role, ...row }: InvitationRow) {
  return { ...row, role: role as InvitedRole };
}
