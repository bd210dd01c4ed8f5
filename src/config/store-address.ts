/** The address of a PostgreSQL database. It may hold a password, so nothing here repeats it. */
import { z } from "zod";

export const storeSchema = z
  .string()
  .max(4096, "must not be longer than 4096 characters")
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1,
    "must be the address of a database such as postgres://user@db.example.com/interlingua",
  );

/** In the address itself, or as one of its parameters. */
export function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return /:[^/@]*@/.test(address);
  const { password, searchParams } = new URL(address);
  return password !== "" || searchParams.has("password");
}

/** Without the password and without parameters, for messages. */
export function storeName(address: string): string {
  if (!URL.canParse(address)) return "postgres://…";
  const { protocol, username, host, pathname } = new URL(address);
  return `${protocol}//${username && `${username}@`}${host}${pathname}`;
}
