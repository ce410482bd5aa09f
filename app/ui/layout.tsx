import { useLocation } from "react-router";
import type { Brand } from "../brand.ts";
import { Tick } from "../islands/form/tick.tsx";
import { pages } from "../site.ts";

/** Header and footer around every page. Links are plain: each page is a document of its own. */
export function Layout({ brand, children }: { brand: Brand; children: React.ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Header brand={brand} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer brand={brand} />
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
        {/* A popover opens and closes without script. On wide screens CSS shows it inline in the bar. */}
        <button type="button" className="menu-toggle" popoverTarget="menu">
          Menu
        </button>
        <nav id="menu" popover="auto" aria-label="Main">
          <ul>
            {pages
              .filter(({ header }) => header)
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
            {pages
              .filter(({ footer }) => footer)
              .map(({ path, footer }) => (
                <li key={path}>
                  <a href={path}>{footer}</a>
                </li>
              ))}
          </ul>
        </nav>
        {brand.social.length > 0 && (
          <ul aria-label="Elsewhere">
            {brand.social.map(({ label, url }) => (
              <li key={url}>
                <a href={url} rel="noreferrer">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </footer>
  );
}
