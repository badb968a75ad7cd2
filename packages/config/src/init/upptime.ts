import { MINUTE, SECOND } from '@vitrine/core';
import { NO_SITE, PLAIN_CHECK, type ForeignCheck, type ForeignFile, type ForeignSite } from './foreign-check.js';
import { ForeignObject, NO_NOTIFICATIONS, OTHER_LOOK, type Reasons } from './foreign-values.js';

const DEFAULT_INTERVAL_MS = 5 * MINUTE;
const TIMEOUT_S = 30;
const REDIRECTS = 3;
/** Two more attempts, as Upptime makes them. */
const CONFIRM_AFTER = 2;

const NO_ISSUES = 'Vitrine opens no issues and makes no commits';
const NO_BODY_TEST = 'a text that must be absent cannot be expected';
/** What Upptime accepts of a check that follows no redirects. */
const UNFOLLOWED = ['200-308'];
const CERTIFICATES = 'Vitrine verifies every certificate';

const TOP_REASONS: Reasons = {
  owner: 'Vitrine keeps its records in a data folder, not in a repository',
  repo: 'Vitrine keeps its records in a data folder, not in a repository',
  notifications: NO_NOTIFICATIONS,
  assignees: NO_ISSUES,
  commitMessages: NO_ISSUES,
  i18n: 'the pages have their own texts; site.language chooses the language',
  runner: 'Vitrine runs on its own server',
  'user-agent': 'Vitrine sends its own name',
  workflowSchedule: 'Vitrine updates its pages itself',
  'workflowSchedule.uptime': 'it is not every so many minutes; the default of Upptime, 5 minutes, is used',
  'status-website.theme': 'the pages follow the setting of the browser',
  'status-website.themeUrl': OTHER_LOOK,
  'status-website.favicon': OTHER_LOOK,
  'status-website.faviconSvg': OTHER_LOOK,
  'status-website.baseUrl': 'publicUrl is the whole address of Vitrine',
};

const SITE_REASONS: Reasons = {
  body: 'requests of Vitrine have no body',
  assignees: NO_ISSUES,
  icon: OTHER_LOOK,
  slug: 'the key is made from the name',
  maxRedirects: 'it is not a number',
  maxResponseTime: 'it is not a number of milliseconds',
  __dangerous__insecure: CERTIFICATES,
  __dangerous__disable_verify_peer: CERTIFICATES,
  __dangerous__disable_verify_host: CERTIFICATES,
  __dangerous__body_down: NO_BODY_TEST,
  __dangerous__body_degraded: NO_BODY_TEST,
  __dangerous__body_degraded_if_text_missing: 'a text that is missing is a failure: expect.text',
  requestTimeout: 'it is not a number of seconds',
};

/** The sites of Upptime (`.upptimerc.yml`). All are checked on the same schedule. */
export function readUpptime(value: unknown): ForeignFile {
  const file = new ForeignObject(value);
  const schedule = file.object('workflowSchedule');
  const intervalMs = intervalOf(schedule);
  const repository = { owner: file.peek('owner'), repo: file.peek('repo') };
  const checks = file.items('sites').map((site) => checkOf(new ForeignObject(site), intervalMs));
  return { site: siteOf(file, repository), canary: '', checks, leftOut: file.left(TOP_REASONS) };
}

/** The interval of a cron schedule that says every how many minutes. Other schedules have no fixed interval. */
function intervalOf(schedule: ForeignObject): number {
  const minutes = /^\*\/(\d{1,2}) \* \* \* \*$/.exec(schedule.peek('uptime').trim())?.[1];
  if (minutes === undefined) return DEFAULT_INTERVAL_MS;
  schedule.ignore('uptime');
  return Number(minutes) * MINUTE;
}

function siteOf(file: ForeignObject, { owner, repo }: { readonly owner: string; readonly repo: string }): ForeignSite {
  const website = file.object('status-website');
  const footer = file.object('i18n').text('footer');
  const filled = (text: string): string => text.replace(/\$OWNER/g, owner).replace(/\$REPO/g, repo);
  const intro = [website.text('introTitle'), website.text('introMessage')].map((text) => plain(filled(text)));
  const cname = website.text('cname');
  return {
    ...NO_SITE,
    title: website.text('name'),
    description: intro.filter((text) => text !== '').join(' '),
    logo: website.text('logoUrl'),
    links: website.objects('navbar').map((link) => ({ label: link.text('title'), url: filled(link.text('href')) })),
    footer: plain(footer),
    publicUrl: cname === '' ? '' : `https://${cname}`,
  };
}

/** Markdown without its marks. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/[*`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function checkOf(site: ForeignObject, intervalMs: number): ForeignCheck {
  const isWeb = ['', 'http'].includes(site.text('check'));
  const redirects = site.number('maxRedirects') ?? (isWeb ? REDIRECTS : null);
  const { status, wrong } = statusesOf(site, redirects);
  const check = {
    ...PLAIN_CHECK,
    name: site.text('name'),
    address: addressOf(site),
    isHidden: site.text('urlSecretText') !== '' || queryOf(site.peek('url')).includes('$'),
    method: site.text('method').toUpperCase() || 'GET',
    headers: site.items('headers').map((line) => headerOf(String(line))),
    status,
    text: (isWeb && site.text('__dangerous__body_down_if_text_missing')) || null,
    intervalMs,
    timeoutMs: (site.number('requestTimeout') ?? TIMEOUT_S) * SECOND,
    slowAfterMs: site.number('maxResponseTime'),
    confirmAfter: CONFIRM_AFTER,
    redirects,
  };
  return { ...check, unknown: [...wrong, ...site.left(SITE_REASONS)] };
}

function statusesOf(site: ForeignObject, redirects: number | null) {
  const { status, wrong } = site.statuses('expectedStatusCodes');
  return { status: redirects === 0 && wrong.length === 0 ? (status ?? UNFOLLOWED) : status, wrong };
}

function queryOf(address: string): string {
  const start = address.search(/[?#]/);
  return start < 0 ? '' : address.slice(start);
}

function addressOf(site: ForeignObject): string {
  const [check, address] = [site.text('check'), site.text('url')];
  if (check === 'tcp-ping')
    return `tcp://${address
      .replace(/^[a-z]+:\/\//i, '')
      .split(/[/:]/, 1)
      .join('')}:${site.text('port')}`;
  return check === '' || check === 'http' ? address : `${check}:${address}`;
}

function headerOf(line: string): { readonly name: string; readonly value: string } {
  const end = line.indexOf(':');
  return { name: end < 0 ? line : line.slice(0, end), value: end < 0 ? '' : line.slice(end + 1).trim() };
}
