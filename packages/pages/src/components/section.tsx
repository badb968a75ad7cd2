import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { PartNotice } from './notices.js';

interface SectionProps {
  readonly heading: string;
  /** Names the section in addresses. */
  readonly id: string;
  /** A link to more of the same. In a copy of the site, there may be no page for it. */
  readonly more?: { readonly href: Href; readonly label: string };
  /** A short text beside the heading. */
  readonly aside?: ComponentChildren;
  /** Whether the script of the pages replaces the section when the page has changed. */
  readonly isLive?: boolean;
  /** The kinds of records that the section shows, to say here that they are late, incomplete or missing. */
  readonly kinds?: readonly string[];
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page with its heading. */
export function Section({ heading, id, more, aside, isLive = false, kinds = [], class: className = 'block', children }: SectionProps) {
  return (
    <section class={className} id={id} aria-labelledby={`h-${id}`} {...(isLive && { 'data-live': '' })}>
      <div class="head">
        <h2 id={`h-${id}`}>{heading}</h2>
        {aside === undefined ? null : <span class="soft small">{aside}</span>}
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
