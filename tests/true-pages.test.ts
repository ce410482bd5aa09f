/** Pages describe the installation that serves them: each setting that falsifies a sentence changes it. */
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { newFolder, startServer } from "./support/server.ts";
import { assertTrue, host, readPages, type Sentences } from "./support/true-pages.ts";
import { webhookSettings } from "./support/webhook-receiver.ts";

/** The texts of all pages of an installation, by path. */
const pagesWith = async (env: Record<string, string>) =>
  readPages(await startServer(wholeFile, { env }));

const mail = { RUBRICON_MAIL_URL: "smtp://127.0.0.1:9", RUBRICON_MAIL_TO: "team@school.example" };

/** Installations by name. The settings of each, which several cases look at, have no sentence in common. */
const installations = {
  plain: {},
  attaching: {
    ...mail,
    RUBRICON_PUBLIC_URL: `https://${host}`,
    RUBRICON_MAIL_ATTACHMENTS_MB: "20",
    RUBRICON_MARKING_NETWORKS: "10.0.0.0/8",
    RUBRICON_METRICS_NETWORKS: "10.0.0.0/8",
    RUBRICON_FORM_ORIGINS: "https://intranet.school.example",
  },
  writing: {
    RUBRICON_MAIL_URL: "file:emails",
    RUBRICON_DROP_DIR: newFolder(wholeFile),
    RUBRICON_FILE_MB: "20",
    RUBRICON_CLAMD: "127.0.0.1:9",
    RUBRICON_RETENTION_DAYS: "14",
    RUBRICON_BACKUP_HOURS: "0",
  },
  acknowledging: {
    ...mail,
    ...webhookSettings(),
    RUBRICON_TEST_FORMS: "off",
    RUBRICON_MAIL_ACKNOWLEDGE: "on",
    RUBRICON_RETENTION_DAYS: "1",
    RUBRICON_BACKUP_HOURS: "1",
    RUBRICON_POSTS_PER_10_MINUTES: "60",
    RUBRICON_SPAM_SECONDS: "3",
  },
};
const pagesOf = new Map(
  Object.entries(installations).map(([name, env]) => [name, once(() => pagesWith(env))]),
);

interface Case extends Sentences {
  settings: string;
  on: keyof typeof installations;
}

/** Who may receive files that are attached. */
const byMail = /They may be received by our team and by the providers of our server and our mail\./;

const cases: Case[] = [
  {
    settings: "no settings",
    on: "plain",
    says: [
      ["/privacy-policy", /stored with your request, in one database file/],
      ["/privacy-policy", /sends your information to no mail server\. It sends nothing to anyone/],
      ["/privacy-policy", /one every 24 hours and keeps the last 7/],
      ["/privacy-policy", /90 days, then deleted automatically/],
      ["/privacy-policy", /this website asks for no confirmation, so it sends none/],
      ["/blog", /At present we send no emails about new articles\. We keep your address/],
      ["/blog", /keeps your address until you ask us to delete it\./],
      ["/privacy-policy", /until you unsubscribe .*; 14 days from our last request to confirm it/i],
      ["/security-policy", /one executable and one SQLite database file/],
      ["/security-policy", /There is no folder of uploads/],
      ["/security-policy", /This is not a virus scan/],
      ["/security-policy", /The page that tests the forms is switched on/],
      ["/security-policy", /audit table records .* exports .* publishing .* signatures/],
      ["/security-policy", /reference, until the request is deleted\. It never has a name/],
      ["/features", /Looking at what a file is doesn’t tell whether it’s harmful/],
      ["/about", /No email of ours carries one/],
      ["/about", /deleted from the database, and their bytes overwritten/],
    ],
    never: [
      /receives an email with the text of the request/,
      /ClamAV|PostgreSQL|our team’s folder|Another program of ours/,
      /only in the networks that we have named/,
      /Rate limits slow down floods|returned to be sent once more/,
      /how many emails one address can cause/,
      /our monitoring/,
    ],
  },
  {
    settings: "a mail server that gets attachments",
    on: "attaching",
    says: [
      ["/privacy-policy", /files are attached if they have at most 20 MB together/],
      ["/security-policy", /carries its files if they have at most 20 MB together/],
      ["/security-policy", /with the email to our team, as section 2 says/],
      ["/features", /comes with the email to our team, if it has at most 20 MB/],
      ["/about", /The email to our team carries them/],
      ["/about", byMail],
      ["/", byMail],
      ["/latest-feature", byMail],
    ],
    never: [
      /never the files|never carries them|No email of ours carries|carry no uploaded files/,
      /email with the reference, and nothing that you typed/,
    ],
  },
  {
    settings: "a mail server",
    on: "acknowledging",
    says: [
      ["/privacy-policy", /the files’ names, never the files/],
      ["/privacy-policy", /sends your information to our mail server/],
      ["/security-policy", /names the files and never carries them/],
    ],
    never: [/to no mail server|attached/],
  },
  {
    settings: "emails in a folder",
    on: "writing",
    says: [["/privacy-policy", /to no mail server/]],
    never: [/to our mail server/],
  },
  {
    settings: "a drop folder",
    on: "writing",
    says: [
      ["/privacy-policy", /copies the files of a request into a folder for our team/],
      ["/privacy-policy", /Copies of files in our team’s folder Until the request is deleted/],
      ["/security-policy", /copies the files of each request into a folder/],
      ["/about", /Our team has a copy in a folder/],
      ["/features", /copies it into a folder for our team/],
    ],
    never: [/no folder of uploads/],
  },
  {
    settings: "a virus scanner",
    on: "writing",
    says: [
      ["/privacy-policy", /ClamAV, scans it before it is stored, but not the scans/],
      ["/privacy-policy", /passes uploaded files to our virus scanner/],
      ["/security-policy", /That a scan finds everything/],
      ["/security-policy", /while that does not respond, no file is taken/],
      ["/features", /ClamAV reads each file that you send before it is stored/],
      ["/about", /checked, scanned for viruses and stored/],
    ],
    never: [/not a virus scan|less than a scan|doesn’t tell whether it’s harmful/],
  },
  {
    settings: "a retention of 14 days without backups",
    on: "writing",
    says: [
      ["/privacy-policy", /14 days, then deleted automatically/],
      [
        "/privacy-policy",
        /14 days from the email that brings one, until midnight, and no longer than the request/,
      ],
      ["/privacy-policy", /makes none by itself but before an upgrade/],
      ["/terms-conditions", /expires 14 days after that email/],
      ["/security-policy", /deleted with its files and emails after 14 days/],
      ["/about", /14 days Request, files/],
    ],
    never: [/\b90 days\b/, /the last 7|every 24 hours/],
  },
  {
    settings: "a retention of one day with a backup every hour",
    on: "acknowledging",
    says: [
      ["/privacy-policy", /1 day, then deleted automatically/],
      ["/privacy-policy", /makes one every 1 hour and/],
      ["/contact", /deletes it after 1 day\./],
      ["/", /deletes both after 1 day\./],
    ],
    never: [/\b1 (day|hour)s\b/],
  },
  {
    settings: "networks for markers, metrics and forms of other sites",
    on: "attaching",
    says: [
      ["/privacy-policy", /The link works only in the networks that we have named/],
      ["/privacy-policy", /which is checked by the address/],
      ["/security-policy", /It works only in the networks that we have named/],
      ["/security-policy", /can be read by our monitoring/],
      ["/security-policy", /Sites that we have named may send forms to us/],
      ["/features", /works only in the networks/],
      ["/team", /The marking desk does not open from this network/],
      ["/marking", /The desk does not open here The marking desk does not open from this network/],
    ],
    never: [/page that tests the forms/],
  },
  {
    settings: "files of up to 20 MB",
    on: "writing",
    says: [
      ["/", /TXT, 20 MB each at most/],
      ["/", /at 150 dpi if a file is over 20 MB/],
      ["/latest-feature", /TXT, 20 MB each at most/],
      ["/terms-conditions", /files of at most 20 MB each/],
      ["/security-policy", /A file may have at most 20 MB/],
    ],
    never: [/\b2 MB\b/],
  },
  {
    settings: "confirmed subscriptions",
    on: "attaching",
    says: [
      ["/privacy-policy", /first send one email with a link, and write again only once you have/],
      ["/blog", /An email when there is something new to read/],
      ["/blog", /keeps your address and writes to it until you unsubscribe: by the link/],
      ["/privacy-policy", /limits how many emails one address can cause in a day/],
    ],
    never: [
      /asks for no confirmation/,
      /send no emails about new articles/,
      /page that tests the forms is switched on/,
    ],
  },
  {
    settings: "acknowledgements, a webhook and limits against floods",
    on: "acknowledging",
    says: [
      ["/privacy-policy", /You receive an email with the reference, and nothing that you typed/],
      ["/privacy-policy", /limits how many emails one address can cause in a day/],
      [
        "/privacy-policy",
        /Internet address for limiting emails In memory only, counted over a day/,
      ],
      ["/privacy-policy", /is told the reference, the form and the time/],
      ["/privacy-policy", /tells another program of ours of a request, without personal/],
      ["/security-policy", /Another program of ours gets a signed message/],
      ["/security-policy", /Rate limits slow down floods/],
      ["/security-policy", /faster than people type is returned to be sent once more/],
      ["/privacy-policy", /How long you took to fill in a form is sent with it/],
    ],
    never: [/to no mail server|page that tests the forms/],
  },
];

for (const { settings, on, ...sentences } of cases) {
  test(`with ${settings} pages say what holds and nothing else`, async () =>
    assertTrue(await pagesOf.get(on)!(), sentences));
}
