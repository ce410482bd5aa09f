/** Every setting, defined once for the parser, `help settings`, `config init` and docs/settings.md. */
import { program } from "../../brand.ts";
import * as rules from "./rules.ts";
import type { Setting } from "./settings-table.ts";

const prefix = program.settingPrefix;

/** The settings by group, in the order of `help settings` and docs/settings.md. */
export const groups = {
  Server: {
    HOST: {
      description: `address to listen on; 0.0.0.0 listens on all interfaces; an absolute path, such as /run/${program.command}/${program.command}.sock, is a Unix socket for your reverse proxy, and no port is opened`,
      default: "127.0.0.1",
      rule: rules.listenHost,
    },
    PORT: {
      description: "port to listen on; 0 picks a free port",
      default: "3000",
      rule: rules.wholeNumber(0, 65535),
      acceptsUnprefixed: true,
    },
    PUBLIC_URL: {
      description:
        "address of the site for visitors, such as https://marking.school.example; used in absolute links, and requests for other hosts are rejected",
      defaultDescription:
        "address on this machine, such as http://localhost:3000; any host is accepted",
      rule: rules.origin,
    },
    TRUSTED_PROXIES: {
      description:
        "addresses or networks of your reverse proxies, separated by commas; X-Forwarded-For is trusted only from these",
      defaultDescription: "none",
      rule: rules.networks,
    },
    FORM_ORIGINS: {
      description:
        "origins of other sites, separated by commas, such as https://intranet.school.example, whose pages may send HTML forms to the API endpoints",
      defaultDescription: "none",
      rule: rules.origins,
    },
  },
  Data: {
    DATA_DIR: {
      description: "folder of the database; created if it does not exist",
      default: "./data",
      rule: rules.anyText,
    },
    DATABASE_URL: {
      description:
        "PostgreSQL database as postgres://user:password@host:port/database, for several servers that share it; several hosts by commas; another machine is reached by TLS, whose authority sslrootcert=FILE names",
      defaultDescription: "none; one server with a file in the data folder",
      rule: rules.databaseUrl,
      isSecret: true,
    },
    DATABASE_CONNECTIONS: {
      description: "connections of this server to the PostgreSQL database",
      default: "10",
      rule: rules.wholeNumber(1, 1000),
    },
    RETENTION_DAYS: {
      description: "days after which a request is deleted, with its files and emails",
      default: "90",
      rule: rules.wholeNumber(1, 9999),
    },
    BACKUP_HOURS: {
      description:
        "hours between automatic backups, which are written to the folder backups beside the database; 0 turns them off",
      default: "24",
      rule: rules.wholeNumber(0, 8760),
    },
    BACKUPS_KEPT: {
      description:
        "number of automatic backups to keep; data deleted from the database remains in them until they are replaced",
      default: "7",
      rule: rules.wholeNumber(1, 1000),
    },
    DROP_DIR: {
      description:
        "existing folder in which each request with files gets a folder of its own, named by its reference and deleted with the request; for a team that has no account on the server",
      defaultDescription: "none",
      // An unmounted share must not stop the server, so only `config check` and `doctor` check that the folder exists.
      rule: rules.anyText,
    },
  },
  Email: {
    MAIL_URL: {
      description:
        "mail server as smtp://user:password@host:port or smtps://…, or file:FOLDER to write .eml files",
      defaultDescription: "none; emails stay in the database",
      rule: rules.mailUrl,
      isSecret: true,
    },
    MAIL_TO: {
      description: "email addresses of the team, separated by commas; required with a mail server",
      defaultDescription: "the contact address of the brand, if emails are written to a folder",
      rule: rules.emails,
    },
    MAIL_FROM: {
      description: "sender address of emails",
      defaultDescription: `the first address in ${prefix}MAIL_TO`,
      rule: rules.email,
    },
    MAIL_ACKNOWLEDGE: {
      description:
        "email to visitors that their request was received, with its reference and nothing that they typed",
      default: "off",
      ...rules.oneOf("off", "on"),
    },
    TEAM_LINKS: {
      description:
        "private link to the team's page of an upload, in the email that reports it; anyone who gets that email can publish the marks",
      default: "on",
      ...rules.oneOf("on", "off"),
    },
    MAIL_ATTACHMENTS_MB: {
      description:
        "attaches the files of a request to the email that reports it, if they have no more megabytes together; 0 attaches none",
      default: "0",
      rule: rules.wholeNumber(0, 50),
    },
  },
  Webhook: {
    WEBHOOK_URL: {
      description:
        "https:// address of a program, such as a ticket system, that gets a signed message about each request at once, without personal data",
      defaultDescription: "none",
      rule: rules.webhookUrl,
      isSecret: true,
    },
    WEBHOOK_SECRET: {
      description:
        'key that webhooks are signed with: whsec_ and 24 to 64 random bytes in base64; echo "whsec_$(openssl rand -base64 32)" prints a new one',
      defaultDescription: `none; required with ${prefix}WEBHOOK_URL`,
      rule: rules.webhookSecret,
      isSecret: true,
    },
  },
  "Brand and content": {
    BRAND_NAME: {
      description: "name of the service",
      defaultDescription: "the built-in name",
      rule: rules.maxLength(40),
    },
    BRAND_COMPANY: {
      description: "legal name of the organisation that runs the service",
      defaultDescription: `as in brand.yaml, or ${prefix}BRAND_NAME`,
      rule: rules.anyText,
    },
    BRAND_EMAIL: {
      description: "contact address shown on pages",
      defaultDescription: "as in brand.yaml",
      rule: rules.email,
    },
    CONTENT_DIR: {
      description:
        "folder with your own content files; each replaces the built-in file of the same path",
      defaultDescription: "built-in content only",
      // Reading the content reports a missing folder. Commands that work on the data alone need no content.
      rule: rules.anyText,
    },
    TEST_FORMS: {
      description: "availability of the page /test-forms, for sending test requests",
      defaultDescription: `on, or off if ${prefix}PUBLIC_URL is set`,
      ...rules.oneOf("on", "off"),
    },
  },
  Monitoring: {
    LOG_FORMAT: {
      description: "format of log lines",
      default: "text",
      ...rules.oneOf("text", "json"),
    },
    METRICS_NETWORKS: {
      description:
        "addresses or networks that may read /metrics (Prometheus) and what /readyz has checked, separated by commas; others get 404, and only whether the server is ready",
      defaultDescription: "none",
      rule: rules.networks,
    },
  },
  Limits: {
    CLAMD: {
      description:
        "ClamAV's clamd as host:port, or the path of its Unix socket; each file that visitors send is scanned, and none is taken while clamd does not respond; what the team sends on its page is not scanned",
      defaultDescription: "none; files are not scanned",
      rule: rules.scannerAddress,
    },
    MARKING_NETWORKS: {
      description:
        "addresses or networks where links of markers and of the team’s page work, but not the educator’s own, separated by commas, such as those of your school; elsewhere they respond with 403",
      defaultDescription: "anywhere",
      rule: rules.networks,
    },
    FILE_MB: {
      description:
        "megabytes of one uploaded file; a script of 14 pages in grey at 150 dpi has 2.5 to 3.5. Reverse proxies must accept whole forms of 64 such files, and at least 512 MB",
      default: "2",
      rule: rules.wholeNumber(2, 20),
    },
    UPLOAD_SLOTS: {
      description:
        "uploads received at the same time, at most half of them from one client address; each takes about 5 MB of memory, or 95 MB with files of 20 MB",
      default: "6",
      rule: rules.wholeNumber(1, 100),
    },
    POSTS_PER_10_MINUTES: {
      description:
        "forms without files that one client address may send in ten minutes; 0 is unlimited; raise it if many of your users share one address",
      default: "60",
      rule: rules.wholeNumber(0, 1_000_000),
    },
    UPLOADS_PER_10_MINUTES: {
      description:
        "forms with files that one client address may send in ten minutes; 0 is unlimited",
      default: "20",
      rule: rules.wholeNumber(0, 1_000_000),
    },
    SPAM_SECONDS: {
      description:
        "a form that script sends within this many seconds of loading its page comes back, to be sent again; 0 turns the check off",
      default: "3",
      rule: rules.wholeNumber(0, 3600),
    },
  },
} satisfies Record<string, Record<string, Setting>>;
