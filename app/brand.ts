/**
 * The white label: everything that changes when an institution runs the service under its own name.
 * Read by server/config alone; components get it through the root loader, because the browser must
 * hydrate the very values that the server rendered.
 */
export interface Brand {
  name: string;
  /** The name as it stands in addresses: lower case, hyphens. */
  slug: string;
  /** Who runs the service and answers its letters. */
  company: string;
  email: string;
  testimonials: { quote: string; role: string }[];
  social: { label: string; url: string }[];
}

export const brandDefaults: Brand = {
  name: "Rubricon",
  slug: "rubricon",
  company: "Rubricon",
  email: "hello@rubricon.example",
  testimonials: [
    {
      quote:
        "Two markers used to argue over the same script until the memo gave in. Now the argument starts from one marked copy, with a reason beside every mark, and it is over by tea.",
      role: "Academic manager",
    },
    {
      quote:
        "I still read every essay. What I no longer do is write ‘develop this point’ ninety times on a Sunday night.",
      role: "High school English teacher",
    },
    {
      quote:
        "The class report told me which question was badly set. That is a conversation about teaching, and we never had the hours for it before.",
      role: "Academic head",
    },
  ],
  social: [
    { label: "LinkedIn", url: "https://www.linkedin.com/company/rubricon" },
    { label: "Facebook", url: "https://www.facebook.com/rubricon" },
    { label: "YouTube", url: "https://www.youtube.com/@rubricon" },
  ],
};

/** Names that stay whatever the brand: the command, its settings' prefix and the file that holds the data. */
export const program = {
  command: "rubricon",
  settingPrefix: "RUBRICON_",
  databaseFile: "rubricon.db",
};
