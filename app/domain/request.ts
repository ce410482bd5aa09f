/** The forms whose requests are rows of contact_requests. */
export const contactForms = ["contact", "demo-request", "demo-upload"] as const;

/** A form whose posts are stored as requests to the team. */
export type RequestForm = (typeof contactForms)[number] | "rubric-request";

/** The forms of the site. */
export type FormName = RequestForm | "subscription";
