import type { Commit, Finding, News, Release, StatusOverview, WithRepository } from '@vitrine/core';
import { Banner } from '../components/banner.js';
import { Calendar, type ActivityDay } from '../components/calendar.js';
import { Card } from '../components/card.js';
import { newsEntry } from '../components/content-entries.js';
import { CurrentIncidents } from '../components/current-incidents.js';
import { commitEntry, findingEntry, releaseEntry } from '../components/development-entries.js';
import { DayList, EntryList, type Entry } from '../components/entry-list.js';
import { feedLinks } from '../components/feed-links.js';
import { Page } from '../components/layout.js';
import { EndNotice, STATUS_KINDS, type Currency } from '../components/notices.js';
import { ServiceList, type DaysByService } from '../components/service-list.js';
import { useView, type View } from '../view.js';

/** What the overview shows. `null` stands for a part that could not be read. */
export interface OverviewData extends Currency {
  readonly status: StatusOverview | null;
  readonly days: DaysByService;
  /** A year, oldest first, every day listed. */
  readonly activity: readonly ActivityDay[] | null;
  readonly commits: readonly WithRepository<Commit>[] | null;
  readonly releases: readonly WithRepository<Release>[] | null;
  readonly findings: readonly WithRepository<Finding>[] | null;
  readonly news: readonly News[] | null;
}

/** The feeds of what the page shows. */
const FEEDS = ['incidents', 'commits', 'releases', 'findings', 'news'] as const;

/** Everything at one glance. */
export function OverviewPage({ data, publicUrl }: { readonly data: OverviewData; readonly publicUrl: string }) {
  const { t, links, site } = useView();
  const alternates = feedLinks(FEEDS, t);
  const linkedData = { '@type': 'WebSite', name: site.title, url: `${publicUrl}/`, description: site.description ?? t.description(site.title) };
  return (
    <Page head={{ title: null, description: null, path: '/', json: '/api/v1/overview', alternates, publicUrl, linkedData }} currency={data}>
      <Banner status={data.status} />
      <CurrentIncidents incidents={data.status?.incidents.current ?? []} />
      <Card heading={t.services} more={{ href: links.to('/status'), label: t.more.status }} live="services" kinds={[...STATUS_KINDS, 'incident']}>
        {data.status === null ? null : <ServiceList services={data.status.services} days={data.days} />}
      </Card>
      <Activity days={data.activity} />
      <Newest data={data} />
      <EndNotice />
    </Page>
  );
}

function Newest({ data: { commits, releases, findings, news } }: { readonly data: OverviewData }) {
  return (
    <div class="columns">
      <Latest name="commits" items={commits} entryOf={commitEntry} byDay />
      <div>
        <Latest name="releases" items={releases} entryOf={releaseEntry} />
        <Latest name="findings" items={findings} entryOf={findingEntry} />
        <Latest name="news" items={news} entryOf={newsEntry} />
      </div>
    </div>
  );
}

/** A year of activity with its sums. */
export function Activity({ days }: { readonly days: readonly ActivityDay[] | null }) {
  const { t, format } = useView();
  if (days === null)
    return (
      <Card heading={t.activity.heading}>
        <p class="soft">{t.lists.unread}</p>
      </Card>
    );
  const [commits, releases] = [sumOf(days, 'commits'), sumOf(days, 'releases')];
  const summary = t.activity.summary(t.activity.commits(commits, format.number(commits)), t.activity.releases(releases, format.number(releases)));
  return (
    <Card heading={t.activity.heading} aside={summary}>
      <Calendar days={days} />
    </Card>
  );
}

function sumOf(days: readonly ActivityDay[], what: 'commits' | 'releases'): number {
  return days.reduce((sum, day) => sum + day[what], 0);
}

interface LatestProps<Item> {
  readonly name: 'commits' | 'releases' | 'findings' | 'news';
  readonly items: readonly Item[] | null;
  readonly entryOf: (item: Item, view: View) => Entry;
  readonly byDay?: boolean;
}

const KINDS = { commits: 'commit', releases: 'release', findings: 'finding', news: 'news' } as const;

/** The newest records of a kind, with a link to all of them. */
function Latest<Item>({ name, items, entryOf, byDay = false }: LatestProps<Item>) {
  const view = useView();
  const { t, links } = view;
  return (
    <Card heading={t.places[name]} more={{ href: links.list(name), label: t.more[name] }} kinds={[KINDS[name]]}>
      <LatestEntries entries={items?.map((item) => entryOf(item, view)) ?? null} byDay={byDay} />
    </Card>
  );
}

function LatestEntries({ entries, byDay }: { readonly entries: readonly Entry[] | null; readonly byDay: boolean }) {
  const { t } = useView();
  // The notice of the card says why.
  if (entries === null) return null;
  if (entries.length === 0) return <p class="soft">{t.lists.empty}</p>;
  return byDay ? <DayList entries={entries} /> : <EntryList entries={entries} />;
}
