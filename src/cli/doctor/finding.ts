/** The result of one check of the doctor. */
export interface Finding {
  readonly about: string;
  /** A warning is worth knowing; a problem keeps Interlingua from working. */
  readonly state: "ok" | "warning" | "problem";
  /** A sentence that says what to do, unless all is well. */
  readonly detail: string;
}
