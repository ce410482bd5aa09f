/** The forms of the site. A request is a post of one of them that has been stored. */
export type FormName =
  | "contact"
  | "demo-request"
  | "demo-upload"
  | "rubric-request"
  | "subscription";

/** A form whose posts are requests to the team. */
export type RequestForm = Exclude<FormName, "subscription">;
