/** The forms of the site. A request is what a visitor sent through one of them and the program stored. */
export type FormName =
  | "contact"
  | "demo-request"
  | "demo-upload"
  | "rubric-request"
  | "subscription";
