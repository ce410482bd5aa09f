/** The pages of a site, as HTML. */
import assert from "node:assert/strict";
import { sendRequest } from "./send-request.ts";

/** Returns the pages of the sitemap, then those of further addresses, each with its address. */
export function crawl(url: string, further: string[] = []) {
  const get = async (address: string) => {
    const { status, bytes } = await sendRequest(url, address);
    assert.equal(status, address === "/nowhere" ? 404 : 200, address);
    return [address, bytes.toString()] as const;
  };
  return get("/sitemap.xml").then(([, sitemap]) => {
    const listed = [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)];
    return Promise.all([...listed.map(([, address]) => address!), ...further].map(get));
  });
}

/** The text of an article, or "". */
export const proseOf = (html: string) =>
  /<div class="prose">(.*?)<\/div>/s.exec(html.replaceAll("<!-- -->", ""))?.[1] ?? "";

/** The Open Graph image of a page, whose stated size is asserted, and its text for screen readers. */
export function cardOf(html: string) {
  const property = (name: string) =>
    new RegExp(`<meta property="og:${name}" content="([^"]*)"`).exec(html)![1]!;
  assert.equal(property("image:width"), "1200");
  assert.equal(property("image:height"), "630");
  return { image: property("image"), alt: property("image:alt") };
}
