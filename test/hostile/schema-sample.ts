/** Draws values that fit a JSON schema of the OpenAPI document, with names that mean something where it knows some. */
import type { Random } from "../../src/testkit/random.ts";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
}

/** Values by the name of the field or parameter they are good for. */
export type Pool = Readonly<Record<string, readonly unknown[]>>;

export class SchemaSample {
  readonly #random: Random;
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #pool: Pool;

  constructor(random: Random, schemas: Readonly<Record<string, Schema>>, pool: Pool) {
    this.#random = random;
    this.#schemas = schemas;
    this.#pool = pool;
  }

  draw(schema: Schema, name = "", depth = 0): unknown {
    const random = this.#random;
    const known = this.#pool[name];
    if (known && known.length > 0 && random.chance(0.9)) return random.pick(known);
    if (schema.$ref) return this.draw(this.#schemas[schema.$ref.split("/").at(-1)!] ?? {}, name, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.draw(random.pick(choices), name, depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => this.draw(part, name, depth)));
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    switch (type) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return Array.from({ length: depth > 3 ? 0 : random.integer(0, 3) }, () =>
          this.draw(schema.items ?? {}, name, depth + 1),
        );
      case "integer":
        return random.integer(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 1000));
      case "number":
        return random.next() * 1000;
      case "boolean":
        return random.chance(0.5);
      case "null":
        return null;
      default:
        return random.pick(["word", "two words", "ünïcode \u{1f600}", "x".repeat(random.size(2000)) || "x"]);
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): object {
    const random = this.#random;
    const entries = Object.entries(properties).flatMap(([name, schema]) =>
      required.includes(name) || random.chance(0.25) ? [[name, this.draw(schema, name, depth + 1)]] : [],
    );
    if (typeof additionalProperties === "object")
      entries.push(["extra", this.draw(additionalProperties, "extra", depth + 1)]);
    return Object.fromEntries(entries);
  }
}
