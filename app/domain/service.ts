/**
 * Limits and times of the service. The forms and jobs apply them, and pages, emails and policies
 * state them from here; docs/service.md describes the whole.
 */

/** Learners' files in one upload. */
export const maxSubmissions = 50;
/** Until the private link to results ends. */
export const linkDays = 30;
/** Until a receipt stops showing the names of the files. */
export const receiptHours = 24;
/** For which the files of a form that came back are kept. */
export const draftMinutes = 60;
/** After which the address of a subscription is deleted that was not confirmed. */
export const confirmationDays = 14;
/** For which the email about published marks waits until the pages of all scripts can be shown. */
export const renderingMinutes = 15;
/** After the last marking link of a request has ended, until its pictures of pages are deleted. */
export const renderingDays = 7;
