import { atLeast, atMost, Contest, elementOf, mustBe, percentile, SIZE, timeOnce, type Figure } from '../measure.js';
import { checkServices, commitsOn } from '../pages.js';
import { serveStore, worldFolder } from '../stores.js';
import { wireAnswer } from '../wire.js';
import { busyRefs, CHECKS_EACH, newestShas, services } from '../world.js';
import { requestsPerSecond, requireWrk } from '../wrk.js';

const SECONDS = 5;
const ROUNDS = 3;
const REQUESTS = 200;
const WARM_UP = 20;
const RANGES = 4;
/** On the overview; the others are on their own page. */
const SHOWN_SERVICES = 12;

const names = services.map(({ displayName }) => displayName);
const newest = newestShas(busyRefs, 1);

interface StatusBody {
  readonly services: readonly { readonly displayName: string; readonly checksTracked: number }[];
}

interface OverviewBody {
  readonly data: { readonly status: StatusBody; readonly latestCommit: { readonly sha: string } };
}

interface Asked {
  readonly url: string;
  readonly check: (body: string) => void;
}

/** Pages against the JSON of the same endpoint, both computed for each request: over one connection, because equal requests at one moment are computed once. */
export async function figures(): Promise<readonly Figure[]> {
  requireWrk();
  const { url } = await serveStore({ store: 'sqlite', path: await worldFolder(), approved: busyRefs });
  const size = `${SIZE} commits and ${String(services.length)} services in SQLite`;
  // The first request reads what is then kept in memory, and a part that takes longer than its time is missing from a page.
  for (const way of ['/api/v1/status', '/status', '/']) await (await fetch(url + way)).text();
  const ratio = await overviewRatio(url);
  const [json, page] = [await p95(url, statusJson), await p95(url, statusPage)];
  return [
    atLeast(`overview page, ${size}, not cached, over one connection, against its JSON answer: requests/s`, ratio, 'times', 0.4),
    atMost(`status page of ${String(services.length)} services, not cached: p95 above that of its JSON`, page - json, 'ms', 60),
    atMost('page of a service with 90 days of hours, not cached: p95', await p95(url, servicePage), 'ms', 60),
  ];
}

async function overviewRatio(server: string): Promise<number> {
  const page = () => rateOf({ url: `${server}/`, check: checkOverviewPage });
  const json = () => rateOf({ url: `${server}/api/v1/overview`, check: checkOverview });
  return (await new Contest().run({ page, json }, ROUNDS)).ratio('page', 'json');
}

async function rateOf({ url, check }: Asked): Promise<number> {
  const checked = async (): Promise<number> => {
    const { body, bytes } = await wireAnswer(url);
    check(body.toString());
    return bytes;
  };
  const rate = await requestsPerSecond({ url, connections: 1, seconds: SECONDS, answerBytes: await checked() });
  await checked();
  return rate;
}

async function p95(server: string, askedOf: (request: number) => Asked): Promise<number> {
  const ask = async (request: number) => (await fetch(server + askedOf(request).url)).text();
  const samples = await timeOnce(WARM_UP + REQUESTS, ask, (body, request) => askedOf(request).check(body));
  return percentile(samples.slice(WARM_UP), 0.95);
}

const statusJson = (): Asked => ({
  url: '/api/v1/status',
  check: (body) => checkServicesOf((JSON.parse(body) as { readonly data: StatusBody }).data),
});

const statusPage = (): Asked => ({ url: '/status', check: (body) => checkServices('the status page', body, names) });

const servicePage = (request: number): Asked => ({
  url: `/status/services/${encodeURIComponent(elementOf(services, request % services.length).key)}`,
  check: (body) => mustBe('ranges of response times', body.split('data-p50=').length - 1, RANGES),
});

function checkServicesOf({ services: shown }: StatusBody): void {
  const found = shown.map(({ displayName, checksTracked }) => [displayName, checksTracked]);
  const expected = names.map((name) => [name, CHECKS_EACH]);
  mustBe('services in JSON', found, expected);
}

function checkOverview(body: string): void {
  const { status, latestCommit } = (JSON.parse(body) as OverviewBody).data;
  checkServicesOf(status);
  mustBe('newest commit', [latestCommit.sha], newest);
}

function checkOverviewPage(body: string): void {
  checkServices('the overview', body, names.slice(0, SHOWN_SERVICES));
  // Further commits of a day are folded.
  mustBe('newest commit on the overview', [commitsOn(body)[0]?.split('@')[1]], newest);
}
