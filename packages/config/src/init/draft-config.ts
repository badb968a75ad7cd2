import { quotable, asciiLowerCase, MINUTE, parseRepositoryName, SECOND, withoutFinalSlashes } from '@vitrine/core';
import { label, linkAddress, ownAddress, sentence } from '../config-fields.js';
import { REFERENCE, TEXT_REFERENCE } from './foreign-values.js';
import { type ForeignSite, NO_SITE, PLAIN_CHECK, type ForeignCheck, type ForeignChecks } from './foreign-check.js';
import { stringify } from 'yaml';
import { ConfigError, isWebAddress, show } from '../validation/problems.js';
import { draftedServices, type ServiceEntry } from './drafted-services.js';
import { hostIn, isPrivateHost } from '../private-hosts.js';
import { canary as canarySchema } from '../services/service-schema.js';

const [LONGEST_TITLE, LONGEST_SENTENCE] = [255, 500];
const MOST_LINKS = 20;

/**
 * The keys of the pages that another monitor had. Notes values that could not be carried over.
 *
 * @param title replaces that of the other monitor; `null`: none does
 * @param logo the name of the file with the logo; `null` if there is none
 */
function draftedSite(foreign: ForeignSite, title: string | null, logo: string | null, notes: string[]) {
  const links = linksOf(foreign, notes);
  const site: { readonly title?: string } & Readonly<Record<string, unknown>> = {
    ...textOf('title', title ?? foreign.title, LONGEST_TITLE, notes),
    ...textOf('description', foreign.description, LONGEST_SENTENCE, notes),
    ...(logo !== null && { logo }),
    ...(links.length > 0 && { links }),
    ...textOf('footer', foreign.footer, LONGEST_SENTENCE, notes),
  };
  if (foreign.logo !== '' && logo === null)
    notes.push('not carried over: the logo (Vitrine shows a file: save the image beside this file, and name it in site.logo)');
  return { site, publicUrl: publicUrlOf(foreign, notes) };
}

function textOf(key: string, text: string, longest: number, notes: string[]): Readonly<Record<string, string>> {
  if (TEXT_REFERENCE.test(text)) {
    notes.push(`not carried over: site.${key} (it comes from an environment variable; write the text)`);
    return {};
  }
  const shown = quotable(text, longest).trim();
  if (shown !== text.trim())
    notes.push(`site.${key}: was changed, because it is too long, or has line breaks, addresses or characters that cannot be shown`);
  const isValid = key === 'title' ? label.safeParse(shown).success : sentence.safeParse(shown).success;
  return isValid ? { [key]: shown } : {};
}

function linksOf({ links }: ForeignSite, notes: string[]) {
  const isWritten = (link: ForeignSite['links'][number]): boolean => !TEXT_REFERENCE.test(link.label) && !REFERENCE.test(link.url);
  const usable = links.filter((link) => label.safeParse(link.label).success && linkAddress.safeParse(link.url).success && isWritten(link));
  const shown = usable.slice(0, MOST_LINKS);
  if (shown.length < links.length)
    notes.push(
      `not carried over: ${String(links.length - shown.length)} links (a link needs a label and an http or https address, and at most ${String(MOST_LINKS)} are shown)`,
    );
  return shown.map((link) => ({ label: quotable(link.label, LONGEST_TITLE).trim() || link.url, url: link.url }));
}

function publicUrlOf({ publicUrl }: ForeignSite, notes: string[]): string | null {
  if (publicUrl === '') return null;
  const read = ownAddress.safeParse(publicUrl);
  if (!read.success) {
    notes.push('not carried over: the address of the page (it is not a public web address)');
    return null;
  }
  notes.push(`publicUrl is the address of the other page: if Vitrine gets another one, correct it`);
  return read.data;
}

/** What a new configuration file is made of. */
export interface ConfigDraft {
  /** The title of the pages; `null`: that of the other monitor, or none. */
  readonly title: string | null;
  /** Owners on GitHub: their public repositories are approved. */
  readonly owners: readonly string[];
  /** Web addresses of repositories, such as `https://github.com/acme/widget`. */
  readonly repositories: readonly string[];
  /** Addresses to check: `http://`, `https://`, `tcp://host:port` or `dns:name`. */
  readonly addresses: readonly string[];
  /** What another monitor checks; `null`: nothing. */
  readonly foreign: ForeignChecks | null;
  /** The name of a file beside the configuration, with the logo of the other monitor; `null` without one. */
  readonly logo?: string | null;
}

export interface DraftedConfig {
  /** A commented configuration file. */
  readonly text: string;
  readonly services: number;
  readonly sources: number;
  /** What was changed or left out, one line each. The file contains them as comments too. */
  readonly notes: readonly string[];
  /** The environment variables that must be set, with the required content of each. The file names them too. */
  readonly variables: readonly (readonly [name: string, content: string])[];
}

const MOST_NOTES = 1_000;
const LONGEST_NOTE = 300;
const OWNER = /^[A-Za-z\d](?:[A-Za-z\d-]{0,37}[A-Za-z\d])?$/;
const PLAIN_TIMES = { intervalMs: MINUTE, timeoutMs: 10 * SECOND, unknown: [] };
const NOTHING: ForeignChecks = { site: NO_SITE, canary: '', checks: [], leftOut: [] };
const HEARTBEAT_PORT = 3_001;
const SELF = { key: 'vitrine:self', name: 'Vitrine', check: 'self' };

/** The text of a new configuration file. Throws a {@link ConfigError} with a line for each owner, repository or address that is not one. */
export function draftConfig(draft: ConfigDraft): DraftedConfig {
  const { owners, addresses, title, logo = null } = draft;
  const foreign = draft.foreign ?? NOTHING;
  const { sources, problems } = gitSources(draft.repositories);
  const noted = [...foreign.leftOut];
  const { site, publicUrl } = draftedSite(foreign.site, title, logo, noted);
  const canary = draftedCanary(foreign.canary, noted);
  const { entries, variables, ...services } = draftedServices([...addresses.map(checkOf), ...foreign.checks], site.title ?? '');
  const found = [...ownerProblems(owners), ...problems, ...addressProblems(addresses, entries)];
  if (found.length > 0) throw new ConfigError(found);
  const notes = limited([...noted, ...services.notes]);
  const approved = [...new Set(owners.map((owner) => `${owner}/*`))].map((github) => ({ github }));
  const shown = entries.length === 0 ? [SELF] : entries;
  const hasHeartbeats = entries.some(({ check }) => check === 'heartbeat');
  const sections = [
    HEAD,
    section('The address of this server, as people see it.', { publicUrl }),
    section('What the pages show.', { site: Object.keys(site).length === 0 ? null : site }),
    section('The repositories that are shown, and no others.', { approved: [...approved, ...sources.map(({ repository }) => repository)] }),
    `${SOURCES}${yaml({ sources })}`,
    section('The services on the status page.', { services: shown }),
    section('Asked when a service fails: if it fails too, the network of this server is the cause.', { canary }),
    section('Where services that report themselves send their heartbeats.', {
      heartbeats: hasHeartbeats ? { port: HEARTBEAT_PORT } : null,
    }),
    comments(
      'Set these environment variables for the process that collects:',
      variables.map(([name, content]) => `${name}: ${content}`),
    ),
    comments('What was changed or could not be carried over:', notes),
  ];
  return { text: sections.filter((text) => text !== '').join('\n'), services: shown.length, sources: sources.length, notes, variables };
}

const HEAD = `# The configuration of Vitrine. docs/guides/configure.md explains every key.
# To check this file, run: npm run vitrine -- check
`;

const SOURCES = `# Where records come from: git, github, gitlab, gitea, forgejo, feed, video, articles, changelog, incidents, statuspage, records.
# A folder of incidents lets you declare an incident with one command:
#   - incidents: incidents
`;

function draftedCanary(text: string, notes: string[]): unknown {
  if (text === '') return null;
  const check = /^(?:https?|tcp):\/\//i.test(text) ? text : `tcp://${text}`;
  const entry = isPrivateHost(hostIn(check)) ? { check, allowPrivate: true } : check;
  if (canarySchema.safeParse(entry).success && !/[?#]/.test(check)) return entry;
  notes.push('not carried over: the address of the network check (it is neither host:port nor an address without a query)');
  return null;
}

/** Empty if there is nothing to write. */
function section(comment: string, value: Readonly<Record<string, unknown>>): string {
  return Object.values(value).every((one) => one === null) ? '' : `# ${comment}\n${yaml(value)}`;
}

function yaml(value: object): string {
  return stringify(value, { lineWidth: 0 });
}

function comments(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# ${title}\n${lines.map((line) => `# - ${line}\n`).join('')}`;
}

/** Names come from another file, so they may be long and contain line breaks. */
function limited(notes: readonly string[]): readonly string[] {
  const shown = notes.slice(0, MOST_NOTES).map((note) => quotable(note, LONGEST_NOTE));
  return notes.length <= MOST_NOTES ? shown : [...shown, `and ${String(notes.length - MOST_NOTES)} more`];
}

/** One source for each repository. */
function gitSources(addresses: readonly string[]) {
  const sources = new Map<string, { readonly git: string; readonly repository: string; readonly url: string }>();
  const problems: string[] = [];
  for (const address of addresses) {
    const url = withoutFinalSlashes(address).replace(/\.git$/, '');
    const repository = isWebAddress(url) && !/[?#]/.test(url) ? new URL(url).pathname.split('/').slice(-2).join('/') : '';
    if (parseRepositoryName(repository) === null)
      problems.push(`${show(address)} is not the web address of a repository; write an address such as https://github.com/acme/widget`);
    else sources.set(asciiLowerCase(repository), { git: `${url}.git`, repository, url });
  }
  return { sources: [...sources.values()], problems };
}

function ownerProblems(owners: readonly string[]): readonly string[] {
  const wrong = owners.filter((owner) => !OWNER.test(owner));
  return wrong.map((owner) => {
    const form = parseRepositoryName(owner) === null ? 'a name such as acme' : `https://github.com/${owner} for this repository`;
    return `${show(owner)} is not the name of a GitHub user or organization; write ${form}`;
  });
}

function checkOf(address: string): ForeignCheck {
  const [name = ''] = address.replace(/^(?:https?:\/\/|tcp:\/\/|dns:)/i, '').split(/[/?#]/, 1);
  return { ...PLAIN_CHECK, ...PLAIN_TIMES, name, address };
}

/** People type these addresses, so one that cannot be used is refused. */
function addressProblems(addresses: readonly string[], entries: readonly ServiceEntry[]): readonly string[] {
  const usable = new Set(entries.map(({ check }) => check));
  const wrong = addresses.filter((address) => !usable.has(address.split(/[?#]/, 1)[0]));
  return wrong.map(
    (address) => `${show(address)} cannot be checked; write an http or https address without user name and password, tcp://host:port or dns:name`,
  );
}
