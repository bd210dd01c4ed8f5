import { defineRoute, json, jsonBody, optionalJsonBody } from "../define-route.ts";
import { sessionParams } from "../schemas/parameter.ts";
import {
  auditQuerySchema,
  auditSchema,
  createdInvitationSchema,
  createdTokenSchema,
  createInvitationSchema,
  createTokenSchema,
  invitationListSchema,
  invitationParams,
  meSchema,
  redeemedSchema,
  redeemSchema,
  tokenListSchema,
  tokenParams,
} from "../schemas/people.ts";

const tags = ["people"];

export const getMe = defineRoute({
  method: "get",
  path: "/v1/me",
  operationId: "getMe",
  right: "service.read",
  summary: "Whose token it is, and what it may do",
  tags,
  responses: { 200: json("Whose token it is", meSchema) },
});

export const createToken = defineRoute({
  method: "post",
  path: "/v1/tokens",
  operationId: "createToken",
  right: "token.manage",
  summary: "Make a token for somebody or something else",
  description: "The answer is the only place where the token itself stands: only its hash is stored.",
  tags,
  request: { body: jsonBody(createTokenSchema) },
  responses: { 201: json("The token", createdTokenSchema) },
  fails: ["agent_not_found", "token_exists", "too_many_tokens", "store_unavailable"],
});

export const listTokens = defineRoute({
  method: "get",
  path: "/v1/tokens",
  operationId: "listTokens",
  right: "token.manage",
  summary: "The tokens there are, without what is secret",
  tags,
  responses: { 200: json("The tokens", tokenListSchema) },
});

export const revokeToken = defineRoute({
  method: "delete",
  path: "/v1/tokens/{token}",
  operationId: "revokeToken",
  right: "token.manage",
  summary: "End a token, and every stream and socket that was opened with it",
  tags,
  request: { params: tokenParams },
  responses: { 204: { description: "It is not accepted any more" } },
  fails: ["token_not_found", "store_unavailable"],
});

export const createInvitation = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/invitations",
  operationId: "createInvitation",
  right: "session.invite",
  summary: "Invite somebody to a session by a link",
  description:
    "Its code can be exchanged once, within a day, for a token that is for this session only and ends a day later.",
  tags,
  request: { params: sessionParams, body: optionalJsonBody(createInvitationSchema) },
  responses: { 201: json("The invitation", createdInvitationSchema) },
  fails: ["session_not_found", "too_many_tokens", "store_unavailable"],
});

export const listInvitations = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/invitations",
  operationId: "listInvitations",
  right: "session.invite",
  summary: "The invitations to a session, without their codes",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The invitations", invitationListSchema) },
  fails: ["session_not_found"],
});

export const revokeInvitation = defineRoute({
  method: "delete",
  path: "/v1/sessions/{id}/invitations/{invitation}",
  operationId: "revokeInvitation",
  right: "session.invite",
  summary: "Take an invitation back, and end the token it was exchanged for",
  tags,
  request: { params: invitationParams },
  responses: { 204: { description: "Neither is accepted any more" } },
  fails: ["session_not_found", "invitation_not_found", "store_unavailable"],
});

export const redeemInvitation = defineRoute({
  method: "post",
  path: "/v1/invitations/redeem",
  operationId: "redeemInvitation",
  summary: "Exchange the code of an invitation for a token; needs no token",
  tags,
  security: [],
  request: { body: jsonBody(redeemSchema) },
  responses: { 201: json("The token", redeemedSchema) },
  fails: [
    "invitation_not_found",
    "invitation_used",
    "invitation_expired",
    "too_many_tokens",
    "store_unavailable",
  ],
});

export const listAudit = defineRoute({
  method: "get",
  path: "/v1/audit",
  operationId: "listAudit",
  right: "audit.read",
  summary: "Who did what, newest first",
  description:
    "Commands of everybody, refusals, tokens and invitations; never what was said, and no secrets.",
  tags,
  request: { query: auditQuerySchema },
  responses: { 200: json("The newest entries", auditSchema) },
});
