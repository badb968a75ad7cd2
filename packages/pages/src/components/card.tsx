import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { PartNotice } from './notices.js';

interface CardProps {
  readonly heading: string;
  /** A link to more of the same. In a copy of the site, there may be no page for it. */
  readonly more?: { readonly href: Href; readonly label: string };
  /** A short text beside the heading. */
  readonly aside?: ComponentChildren;
  /** Makes the script replace the card when the page has changed. */
  readonly live?: string;
  /** The kinds of records that the card shows, to say here that they are late, incomplete or missing. */
  readonly kinds?: readonly string[];
  readonly children: ComponentChildren;
}

/** A section of a page with its heading. */
export function Card({ heading, more, aside, live, kinds = [], children }: CardProps) {
  return (
    <section class="card" {...(live !== undefined && { id: live, 'data-live': '' })}>
      <div class="head">
        <h2>{heading}</h2>
        {aside === undefined ? null : <span class="soft">{aside}</span>}
        {more?.href === undefined ? null : (
          <a class="more" href={more.href}>
            {more.label}
          </a>
        )}
      </div>
      <PartNotice kinds={kinds} />
      {children}
    </section>
  );
}
