/** Thrown for invalid settings; each message names its variable, flag or line. */
export class SettingsError extends Error {
  readonly messages: string[];

  constructor(messages: string[]) {
    super(messages.join("\n"));
    this.messages = messages;
  }
}
