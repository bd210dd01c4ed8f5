/** Gives a schema its name in the OpenAPI document. */
import { z } from "@hono/zod-openapi";
// Imported for its side effect: it adds `.openapi()` to schemas.
import "@hono/zod-openapi";

/** A copy, because a schema of the core was made before `.openapi()` existed and must not carry wire names. */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.clone().openapi(name);
}

type Variant = z.ZodObject<Record<string, z.ZodType> & { type: z.ZodLiteral<string> }>;

/**
 * Names a union and each of its variants, so that the document has a discriminator, by which generated clients tell the
 * variants apart: `session.created` of `Event` is `SessionCreatedEvent`. `fields` are fields that have wire names themselves.
 */
export function namedUnion<Union extends z.ZodDiscriminatedUnion<readonly Variant[], "type">>(
  name: string,
  union: Union,
  fields: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {},
): Union {
  const variants = union.options.map((variant) => {
    const type = variant.shape.type.value;
    const own = fields[type] === undefined ? variant : variant.extend(fields[type]);
    return named(`${inPascalCase(type)}${name}`, own);
  });
  return named(name, z.discriminatedUnion("type", variants as [Variant, ...Variant[]])) as unknown as Union;
}

function inPascalCase(type: string): string {
  return type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
