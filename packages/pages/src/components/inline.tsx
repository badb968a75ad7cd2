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
  return address === undefined ? (
    <span>{children}</span>
  ) : (
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
  /** For the script of the pages, which shows how long ago it was. */
  readonly relative?: string;
  readonly children: string;
}

/** A moment in words. Its title has the full time with its zone. */
function Moment({ at, relative, children }: MomentProps) {
  const { format } = useView();
  return (
    <time dateTime={format.iso(at)} title={format.zonedTime(at)} data-relative={relative}>
      {children}
    </time>
  );
}

/** A moment. The script of the pages shows how long ago it was. */
export function Time({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return (
    <Moment at={at} relative="">
      {format.time(at)}
    </Moment>
  );
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
  return (
    <Moment at={since} relative={t.incident.for}>
      {t.incident.since(recent ?? (isLong ? format.shortDay(format.dayOf(since)) : format.time(since)))}
    </Moment>
  );
}

/** A moment that is always shown in full, such as the beginning of planned maintenance. */
export function FullTime({ at }: { readonly at: Instant }) {
  return <Moment at={at}>{useView().format.time(at)}</Moment>;
}

interface TimeNearProps {
  readonly at: Instant;
  readonly near: Instant;
  readonly form?: NearForm;
}

/** A moment beside another one that the page shows in full: as short as it can be told apart. */
export function TimeNear({ at, near, form }: TimeNearProps) {
  return <Moment at={at}>{useView().format.timeNear(at, near, form)}</Moment>;
}

/** The time of day, below a heading that names the day. */
export function Clock({ at }: { readonly at: Instant }) {
  return <Moment at={at}>{useView().format.clock(at)}</Moment>;
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
  return <Moment at={at}>{format.shortDay(format.dayOf(at))}</Moment>;
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
  const attributes = {
    class: 'prose',
    dir: 'auto',
    ...(language !== undefined && /^[A-Za-z0-9-]{2,35}$/.test(language) && { lang: language }),
  } as const;
  const addressOf = (address: string) => (address.startsWith('/') ? links.to(address) : links.absolute(address));
  const html = htmlOf(props, view);
  if (html === null)
    return (
      <div {...attributes}>
        <p class="plain">{format === 'html' ? withoutTags(text) : text}</p>
      </div>
    );
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: withAddresses(html, addressOf) }} />;
}
