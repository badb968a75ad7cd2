import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import { PartNotice } from './notices.js';
import type { Href, ListAddress } from '../page-links.js';
import { useView } from '../view.js';

interface SectionProps {
  readonly heading: string;
  /** Names the section in addresses. */
  readonly id: string;
  /** A link to more of the same. In a copy of the site, there may be no page for it. */
  readonly more?: { readonly href: Href; readonly label: string };
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

interface TableProps {
  /** What the table shows, for those who do not see it. */
  readonly label: string;
  readonly headings: readonly string[];
  /** Whether the cells of a row stand below each other on a phone: where they speak for themselves without their headings. */
  readonly isStacked?: boolean;
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways where it does not fit, also by keyboard. */
export function Table({ label, headings, isStacked = false, children }: TableProps) {
  return (
    <div class="scroll" role="group" tabIndex={0} aria-label={label}>
      <table class={isStacked ? 'data stacked' : 'data'}>
        <thead>
          <tr>
            {headings.map((heading, index) => (
              <th key={heading} scope="col" class={index === headings.length - 1 ? 'end' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Links to the other pages of a list. A copy of the site has only the first one, and says so. */
export function Pager({ address: { next, first }, nextLabel }: { readonly address: ListAddress; readonly nextLabel: string }) {
  const { t, links, copy } = useView();
  if (next === null && first === null) return null;
  if (copy !== null) return <p class="soft">{t.copy.more}</p>;
  return (
    <nav class="pager" aria-label={t.lists.pages}>
      {first === null ? null : (
        <a class="button" href={links.to(first)}>
          {t.lists.newest}
        </a>
      )}
      {next === null ? null : (
        <a class="button" href={links.to(next)} rel="next">
          {nextLabel}
        </a>
      )}
    </nav>
  );
}

/** A name and its value; `null` leaves it out. */
export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A text as code with a button that copies it. @param props.shown what is shown of it; default: all */
export function CopiedCode({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  return (
    <>
      <code>{shown}</code>
      <Copy text={text} />
    </>
  );
}

/** A button that copies a text. The script of the pages shows it. */
export function Copy({ text }: { readonly text: string }) {
  const { t } = useView();
  return (
    <button class="copy" type="button" data-copy={text} data-done={t.copied}>
      <Icon name="copy" />
      <span>{t.copyText}</span>
    </button>
  );
}
