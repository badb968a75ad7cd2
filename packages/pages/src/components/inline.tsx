import { DAY, type BodyFormat, type Instant, type Repository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import { said } from './state.js';
import type { Href } from '../page-links.js';
import type { NearForm } from '../text/formatter.js';
import { withAddresses, withoutTags } from '../text/html.js';
import { useView, type View } from '../view.js';

interface ExternalLinkProps {
  readonly href: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link to another server. Any other kind of address is shown as text, and so is one for which a copy of the site has no file. */
export function ExternalLink({ href, class: className, children }: ExternalLinkProps) {
  const address = useExternal(href);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a class={className} href={address} rel="nofollow noopener">
      {children}
    </a>
  );
}

/** The same as a button that names the other server; nothing if the address leads nowhere. */
export function ViewOn({ href }: { readonly href: string }) {
  const { t } = useView();
  if (useExternal(href) === undefined) return null;
  return (
    <ExternalLink class="button" href={href}>
      <Icon name="external" />
      {t.viewOn(hostName(href))}
    </ExternalLink>
  );
}

function useExternal(href: string): Href {
  const address = useView().links.absolute(href);
  return /^https?:\/\//i.test(href) ? address : undefined;
}

const HOSTS: Readonly<Record<string, string>> = {
  'github.com': 'GitHub',
  'gitlab.com': 'GitLab',
  'codeberg.org': 'Codeberg',
  'bitbucket.org': 'Bitbucket',
  'www.youtube.com': 'YouTube',
};

function hostName(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return said(HOSTS, host) ?? host.replace(/^www\./, '');
}

export function RepositoryLink({ repository }: { readonly repository: Pick<Repository, 'fullName'> }) {
  return <a href={useView().links.record('repository', repository.fullName)}>{repository.fullName}</a>;
}

interface MomentProps {
  readonly at: Instant;
  readonly text: string;
  /** For the script of the pages, which shows how long ago it was. */
  readonly relative?: string;
}

/** A moment in words. Its title has the full time with its zone. */
function Moment({ at, text, relative }: MomentProps) {
  const { format } = useView();
  return (
    <time dateTime={format.iso(at)} title={format.zonedTime(at)} data-relative={relative}>
      {text}
    </time>
  );
}

/** A moment. The script of the pages shows how long ago it was. */
export function Time({ at }: { readonly at: Instant }) {
  return <Moment at={at} text={useView().format.time(at)} relative="" />;
}

interface LastingProps {
  readonly since: Instant;
  /** A moment of the present, which the page shows, too; `null`: it shows none. */
  readonly near: Instant | null;
  /** It may have begun long ago. Then the day says enough, unless it was less than a day ago. */
  readonly isLong?: boolean;
}

/** When something began that still lasts. The script of the pages shows for how long. */
export function Lasting({ since, near, isLong = false }: LastingProps) {
  const { t, format, now } = useView();
  const recent = near !== null && [near, now].every((at) => Math.abs(at - since) < DAY) ? format.timeNear(since, near) : null;
  const begin = recent ?? (isLong ? format.shortDay(format.dayOf(since)) : format.time(since));
  return <Moment at={since} text={t.incident.since(begin)} relative={t.incident.for} />;
}

/** A moment that is always shown in full, such as the beginning of planned maintenance. */
export function FullTime({ at }: { readonly at: Instant }) {
  return <Moment at={at} text={useView().format.time(at)} />;
}

/** From one moment to another. */
export function TimeRange({ from, to }: { readonly from: Instant; readonly to: Instant }) {
  const { format } = useView();
  return <time dateTime={format.iso(from)}>{format.timeRange(from, to)}</time>;
}

/** A moment beside another one that the page shows in full: as short as it can be told apart. */
export function TimeNear({ at, near, form }: { readonly at: Instant; readonly near: Instant; readonly form: NearForm }) {
  return <Moment at={at} text={useView().format.timeNear(at, near, form)} />;
}

/** The time of day, below a heading that names the day. */
export function Clock({ at }: { readonly at: Instant }) {
  return <Moment at={at} text={useView().format.clock(at)} />;
}

/** Whether a moment is the beginning of a UTC day. Authors date articles and deadlines by days, and a time of day that nobody wrote would be invented. */
export function isDayOnly(at: Instant): boolean {
  return at % DAY === 0;
}

/** A time that its author may have written as a day. */
export function Dated({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return isDayOnly(at) ? <time dateTime={format.isoDay(at)}>{format.shortDay(at)}</time> : <FullTime at={at} />;
}

/** The day of a moment in the time zone of the site. */
export function Day({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return <Moment at={at} text={format.shortDay(format.dayOf(at))} />;
}

export interface ProseProps {
  readonly text: string;
  readonly format: BodyFormat;
  /** The language of the text, if it is known. */
  readonly language?: string;
  /** Whether its headings can be linked to. Only for the one long text of a page, because ids must be unique. */
  readonly anchors?: boolean;
}

/** The HTML of a text of a record; `null`: it is shown as it is. */
export function htmlOf({ text, format, anchors = false }: ProseProps, { site, textOf }: View): string | null {
  return format === 'text' || text.trim() === '' ? null : textOf({ text, form: format, images: site.images, anchors });
}

/** A text of a record; nothing for one that is empty. */
export function Prose(props: ProseProps) {
  const view = useView();
  const { links } = view;
  const { text, format, language } = props;
  if (text.trim() === '') return null;
  const html = htmlOf(props, view);
  const shown =
    html === null
      ? { children: <p class="plain">{format === 'html' ? withoutTags(text) : text}</p> }
      : {
          dangerouslySetInnerHTML: {
            __html: withAddresses(html, (address) => (address.startsWith('/') ? links.to(address) : links.absolute(address))),
          },
        };
  return <div class="prose" dir="auto" lang={/^[A-Za-z0-9-]{2,35}$/.test(language ?? '') ? language : undefined} {...shown} />;
}
