/**
 * Limits and times of the service. The forms and jobs apply them, and pages, emails and policies
 * state them from here; docs/service.md describes the whole.
 */

/** Maximum number of learners' files in one upload. */
export const maxSubmissions = 50;
/** Days until the private link to results ends, unless its request is deleted before. */
export const linkDays = 30;
/** Hours until a receipt stops showing the names of the files. */
export const receiptHours = 24;
/** Minutes for which an upload draft keeps files: `draftLifetimeMs` in upload.ts says from when. */
export const draftMinutes = 60;
/** Days after which the address of a subscription that was not confirmed is deleted. */
export const confirmationDays = 14;
/** Maximum minutes that the email about published marks waits for the pages of all scripts to be rendered. */
export const renderingMinutes = 15;
/** Days from the end of a request’s last link, to its desk or its results, until its page images are deleted. */
export const renderingDays = 7;
