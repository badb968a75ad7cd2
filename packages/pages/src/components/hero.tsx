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
export function Hero(props: HeroProps) {
  const { state, expiry, crumbs, hasNotice = false, children } = props;
  const isLive = state !== undefined && { id: 'banner', 'data-live': '', 'data-state': state };
  return (
    <section class={state === undefined ? 'hero' : `hero ${state}`} aria-labelledby="h1" {...isLive} {...expiry?.until}>
      <div class="wrap">
        {crumbs === undefined ? null : <Crumbs crumbs={crumbs} />}
        <Lead {...props} />
        {hasNotice ? <PageNotice /> : null}
        {children}
      </div>
    </section>
  );
}

function Lead({ heading, state, expiry, lead, tools, meta }: HeroProps) {
  return (
    <>
      <div class="lead">
        {state === undefined ? null : <StateBadge state={state} />}
        <h1 id="h1" dir="auto" {...expiry?.text}>
          {heading}
        </h1>
        {isGiven(lead) ? <p>{lead}</p> : null}
        {isGiven(tools) ? <div class="tools">{tools}</div> : null}
      </div>
      {isGiven(meta) ? <div class="meta">{meta}</div> : null}
    </>
  );
}

function isGiven(content: ComponentChildren): boolean {
  return content !== undefined && content !== null;
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
