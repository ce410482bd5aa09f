/** Something in the settings is wrong; one sentence a fault, each naming its variable, flag or line. */
export class WrongSettings extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
