/** Something that is made for each access when it is first needed, and forgotten with it. */
import type { Access } from "../../core/rights.ts";

export class PerAccess<Part> {
  readonly #make: (access: Access) => Part;
  readonly #made = new WeakMap<Access, Part>();

  constructor(make: (access: Access) => Part) {
    this.#make = make;
  }

  of(access: Access): Part {
    const known = this.#made.get(access);
    if (known !== undefined) return known;
    const part = this.#make(access);
    this.#made.set(access, part);
    return part;
  }
}
