/** What crosses the wire: schemas, the route table and its OpenAPI document, frames and cursors. Runs in browsers. */
export * from "./define-route.ts";
export * from "./openapi-document.ts";
export * from "./route-table.ts";
export * from "./schemas/ask.ts";
export * from "./schemas/event.ts";
export * from "./schemas/feed.ts";
export * from "./schemas/message.ts";
export * from "./schemas/problem.ts";
export * from "./schemas/service.ts";
export * from "./schemas/session.ts";
export * from "./sse-frame.ts";
export * from "./vector-cursor.ts";
