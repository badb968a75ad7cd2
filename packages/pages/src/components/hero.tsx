import type { ServiceState } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { useView } from '../view.js';
import type { Expiry } from './expiry.js';
import { PageNotice } from './notices.js';
import { StateBadge } from './state.js';

/** A page above this one. */
export interface Crumb {
  readonly label: string;
  readonly href: Href;
}

interface HeroProps {
  readonly heading: ComponentChildren;
  /** Colours the top of the page and adds the icon of the state. */
  readonly state?: ServiceState;
  /** Replaces the heading in a copy of the site when the evidence has expired. */
  readonly expiry?: Expiry;
  /** The pages above this one, below the overview. The overview itself comes first in any case. */
  readonly crumbs?: readonly Crumb[];
  /** One or two sentences below the heading. */
  readonly lead?: ComponentChildren;
  /** Buttons beside the heading. */
  readonly tools?: ComponentChildren;
  /** Facts in one line. */
  readonly meta?: ComponentChildren;
  /** Whether the page is about one kind of records, so that a notice about late or missing ones belongs here. */
  readonly hasNotice?: boolean;
  /** What follows within the tinted band. */
  readonly children?: ComponentChildren;
}

/** The head of a page: where it belongs, its heading, and the most important facts. */
export function Hero({ heading, state, expiry, crumbs, lead, tools, meta, hasNotice = false, children }: HeroProps) {
  return (
    <section
      class={state === undefined ? 'hero' : `hero ${state}`}
      aria-labelledby="h1"
      {...(state !== undefined && { id: 'banner', 'data-live': '', 'data-state': state })}
      {...expiry?.until}
    >
      <div class="wrap">
        {crumbs === undefined ? null : <Crumbs crumbs={crumbs} />}
        <div class="lead">
          {state === undefined ? null : <StateBadge state={state} />}
          <h1 id="h1" dir="auto" {...expiry?.text}>
            {heading}
          </h1>
          {lead === undefined || lead === null ? null : <p>{lead}</p>}
          {tools === undefined || tools === null ? null : <div class="tools">{tools}</div>}
        </div>
        {meta === undefined || meta === null ? null : <div class="meta">{meta}</div>}
        {hasNotice ? <PageNotice /> : null}
        {children}
      </div>
    </section>
  );
}

function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  const { t, site, links } = useView();
  return (
    <nav class="crumbs" aria-label={t.crumbs}>
      <ol>
        {[{ label: site.title, href: links.to('/') }, ...crumbs].map(({ label, href }) => (
          <li key={label}>
            <a href={href} dir="auto">
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
