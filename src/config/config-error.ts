/** A setting that cannot be used. The message names it as its author wrote it (flag, variable or key) and says what to do. */
export class ConfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConfigError";
  }
}
