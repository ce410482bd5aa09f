type Rows = readonly object[];

/** The values of one column of rows. */
export const column = <All extends Rows>(rows: All, name: keyof All[number]) =>
  rows.map((row: All[number]) => row[name]);

/** Some columns of rows: an array for each row. */
export const columns = <All extends Rows>(rows: All, ...names: (keyof All[number])[]) =>
  rows.map((row: All[number]) => names.map((name) => row[name]));
