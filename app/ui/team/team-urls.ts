import { teamApiPrefix, teamPath } from "../../site.ts";

/** The URLs of the team's page, and of files, under one token. */
export const teamLinks = (token: string) => {
  const page = `${teamPath}?link=${encodeURIComponent(token)}`;
  return {
    page,
    preview: `${page}&view=preview`,
    /** The page with the figures on agreement. */
    agreement: `${page}&view=agreement`,
    /** @param name such as "files.zip", or the name of a file of marks */
    file: (name: string) => `${teamApiPrefix}${encodeURIComponent(token)}/${name}`,
  };
};
