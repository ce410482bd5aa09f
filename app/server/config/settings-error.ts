/** Something in the settings is wrong; one sentence a fault, each naming its variable, flag or line. */
export class SettingsError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
