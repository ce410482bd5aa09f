import { useLocation } from "react-router";
import type { Brand } from "../brand.ts";
import { Still } from "./static-html.tsx";
import { Tick } from "./tick.tsx";

const headerLinks = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/features", label: "Features" },
  { href: "/latest-feature", label: "Latest feature", isNew: true },
  { href: "/blog", label: "Blog" },
  { href: "/contact", label: "Contact" },
];

const footerLinks = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/features", label: "Features" },
  { href: "/demo", label: "Request a demo" },
  { href: "/blog", label: "Blog" },
  { href: "/contact", label: "Contact" },
  { href: "/security-policy", label: "Security policy" },
  { href: "/terms-conditions", label: "Terms and conditions" },
  { href: "/privacy-policy", label: "Privacy policy" },
];

/** What stands around every page. Links are plain: each page is a document of its own. */
export function Frame({ brand, children }: { brand: Brand; children: React.ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Still id="top">{import.meta.env.SSR && <Header brand={brand} />}</Still>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Still id="bottom">{import.meta.env.SSR && <Footer brand={brand} />}</Still>
    </>
  );
}

function Header({ brand }: { brand: Brand }) {
  const { pathname } = useLocation();
  return (
    <header className="site-header">
      <div className="bar">
        <a className="logo" href="/">
          <Tick />
          {brand.name}
        </a>
        {/* A popover: it opens and closes without a script, and lies open in the bar where there is room. */}
        <button type="button" className="menu-toggle" popoverTarget="menu">
          Menu
        </button>
        <nav id="menu" popover="auto" aria-label="Main">
          <ul>
            {headerLinks.map(({ href, label, isNew }) => (
              <li key={href}>
                <a href={href} aria-current={pathname === href ? "page" : undefined}>
                  {label}
                  {isNew && <span className="badge">NEW</span>}
                </a>
              </li>
            ))}
            <li>
              <a
                className="button small"
                href="/demo"
                aria-current={pathname === "/demo" ? "page" : undefined}
              >
                Try Free Demo
              </a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}

function Footer({ brand }: { brand: Brand }) {
  return (
    <footer className="site-footer">
      <div className="bar">
        <p>
          <span className="logo">
            <Tick />
            {brand.name}
          </span>
          Marks scripts against your own rubric. You decide what counts.
        </p>
        <nav aria-label="Footer">
          <ul>
            {footerLinks.map(({ href, label }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <ul aria-label="Elsewhere">
          {brand.social.map(({ label, url }) => (
            <li key={url}>
              <a href={url} rel="noreferrer">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
