/** The receipt that a page shows for the reference in its URL. */
export { ThankYou as default } from "./form/thank-you.tsx";
