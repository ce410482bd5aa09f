import { useLocation } from "react-router";
import type { Brand } from "../brand.ts";
import { sampleToken } from "../domain/result.ts";
import { Tick } from "../islands/form/tick.tsx";
import { blogPath, footerGroups, legalLinks, markingPath, pages, teamPath } from "../site.ts";
import { demoLabel } from "./demo-label.ts";

/** Header and footer around every page. Links are plain: each page is a document of its own. */
export function Layout({
  brand,
  hasBlog,
  children,
}: {
  brand: Brand;
  /** Whether there is an article: otherwise nothing leads to the blog. */
  hasBlog: boolean;
  children: React.ReactNode;
}) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Header brand={brand} hasBlog={hasBlog} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer brand={brand} hasBlog={hasBlog} />
    </>
  );
}

/** Paths of pages that have no menu, and only the legal links in the footer. */
const workPaths = [markingPath, teamPath];

/** Names of this many characters or more are in smaller type, because they may take a second line. */
const longName = 20;

/** Leaves out the menu for people at work: on an educator’s results, the desk and the team’s page. */
function Header({ brand, hasBlog }: { brand: Brand; hasBlog: boolean }) {
  const { pathname, search } = useLocation();
  const results = new URLSearchParams(search).get("results");
  const isEducators = pathname === "/" && results !== null && results !== sampleToken;
  return (
    <header className="site-header">
      <div className="page bar">
        <a className={brand.name.length < longName ? "logo" : "logo long"} href="/">
          <Tick />
          {brand.name}
        </a>
        {!isEducators && !workPaths.includes(pathname) && (
          <Menu brand={brand} pathname={results === null ? pathname : ""} hasBlog={hasBlog} />
        )}
      </div>
    </header>
  );
}

function Menu({
  brand,
  pathname,
  hasBlog,
}: {
  brand: Brand;
  /** The path of the current page; "" if the menu marks none. */
  pathname: string;
  hasBlog: boolean;
}) {
  return (
    <>
      {/* A popover opens and closes without script. On wide screens CSS shows it inline in the bar. */}
      <button type="button" className="menu-toggle" popoverTarget="menu">
        Menu
      </button>
      <nav id="menu" popover="auto" aria-label="Main">
        <ul className="links">
          {pages
            .filter(({ path, header }) => header && (hasBlog || path !== blogPath))
            .map(({ path, header, isNew }) => (
              <li key={path}>
                <a href={path} aria-current={pathname === path ? "page" : undefined}>
                  {header}
                  {isNew && <span className="badge">NEW</span>}
                </a>
              </li>
            ))}
          <li>
            <a
              className="button quiet small"
              href="/demo"
              aria-current={pathname === "/demo" ? "page" : undefined}
            >
              {demoLabel(brand)}
            </a>
          </li>
        </ul>
      </nav>
    </>
  );
}

function Footer({ brand, hasBlog }: { brand: Brand; hasBlog: boolean }) {
  const isAtWork = workPaths.includes(useLocation().pathname);
  return (
    <footer className="site-footer">
      <div className="page bar">
        <div>
          <p className="logo">
            <Tick />
            {brand.name}
          </p>
          <p className="faded">Marks scripts against your own rubric. You decide what counts.</p>
        </div>
        <nav aria-label="Footer">
          {(isAtWork ? [legalLinks] : footerGroups).map(({ title, links }) => (
            <FooterGroup key={title} title={title}>
              {links
                .filter(([path]) => hasBlog || path !== blogPath)
                .map(([path, text]) => (
                  <li key={path}>
                    <a href={path}>{text}</a>
                  </li>
                ))}
            </FooterGroup>
          ))}
          {!isAtWork && brand.social.length > 0 && (
            <FooterGroup title="Elsewhere">
              {brand.social.map(({ label, url }) => (
                <li key={url}>
                  <a href={url} rel="noreferrer">
                    {label}
                  </a>
                </li>
              ))}
            </FooterGroup>
          )}
        </nav>
      </div>
    </footer>
  );
}

function FooterGroup({ title, children }: { title: string; children: React.ReactNode }) {
  const id = `footer-${title.toLowerCase()}`;
  return (
    <div>
      <p id={id}>{title}</p>
      <ul className="flush" aria-labelledby={id}>
        {children}
      </ul>
    </div>
  );
}
