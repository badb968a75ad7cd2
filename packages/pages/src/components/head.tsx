import type { ServiceState } from '@vitrine/core';
import { assets } from '../assets.js';
import { policyInside } from '../documents/site-documents.js';
import { shortened } from '../text/html.js';
import { useView } from '../view.js';

export interface Alternate {
  readonly type: string;
  readonly title: string;
  /** The path, without the base path. */
  readonly path: string;
}

export interface PageHead {
  /** The title without the name of the site; `null` for the overview. */
  readonly title: string | null;
  readonly description: string | null;
  /** The canonical path and query, without the base path. */
  readonly path: string;
  /** The path of the same data as JSON; `null` if there is none. */
  readonly json: string | null;
  /** The feeds of the page, for the menu to subscribe. */
  readonly alternates?: readonly Alternate[];
  /** Whether search engines may list the page; default true. */
  readonly isIndexed?: boolean;
  /** What the page is about; default `website`. */
  readonly ogType?: 'website' | 'article';
  /** The overall state, which the picture of the page shows; default: it shows none. */
  readonly state?: ServiceState | undefined;
  /** Structured data (schema.org) about the page. */
  readonly linkedData?: object;
}

const MAX_DESCRIPTION = 200;

export function Head({ head }: { readonly head: PageHead }) {
  const { site, t, links, publicUrl } = useView();
  const title = head.title === null ? site.title : `${onOneLine(head.title, 120)} · ${site.title}`;
  const description = onOneLine(head.description ?? site.description ?? t.description(site.title), MAX_DESCRIPTION);
  const canonical = `${publicUrl}${links.canonical(head.path)}`;
  return (
    <head>
      <meta charSet="utf-8" />
      <Policy />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      {head.isIndexed === false ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical} />}
      <meta name="color-scheme" content="light dark" />
      <script src={links.to(assets(site).script.path)} />
      <link rel="stylesheet" href={links.to(assets(site).style.path)} />
      <link rel="icon" type="image/svg+xml" href={links.to('/favicon.svg')} />
      <link rel="apple-touch-icon" href={links.to('/apple-touch-icon.png')} />
      <link rel="manifest" href={links.to('/manifest.webmanifest')} />
      <Alternates head={head} />
      <meta property="og:type" content={head.ogType ?? 'website'} />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:title" content={head.title === null ? site.title : onOneLine(head.title, 120)} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonical} />
      <meta property="og:image" content={`${publicUrl}/pictures/${head.state ?? 'site'}.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      <LinkedData data={head.linkedData} />
    </head>
  );
}

/** In a copy of the site, because its host sends no such header. */
function Policy() {
  const { site, copy } = useView();
  return copy === null ? null : <meta http-equiv="Content-Security-Policy" content={policyInside(site)} />;
}

function Alternates({ head: { json, alternates = [] } }: { readonly head: PageHead }) {
  const { links } = useView();
  const all = json === null ? alternates : [{ type: 'application/json', title: undefined, path: json }, ...alternates];
  return (
    <>
      {all.map(({ type, title, path }) => {
        const href = links.to(path);
        return href === undefined ? null : <link key={path} rel="alternate" type={type} title={title} href={href} />;
      })}
    </>
  );
}

function LinkedData({ data }: { readonly data: object | undefined }) {
  if (data === undefined) return null;
  // Without `<`, the text cannot end the element.
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}

function onOneLine(text: string, most: number): string {
  const line = text.slice(0, 4 * most).replace(/\s+/gu, ' ');
  return shortened(line.trim(), most);
}
