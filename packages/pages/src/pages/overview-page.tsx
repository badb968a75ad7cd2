import {
  type ActivityDay,
  type Incident,
  type Release,
  type Repository,
  type ServiceStatus,
  type StatusOverview,
  type WithRepository,
} from '@vitrine/core';
import { Heat, mostCommits, summaryOf, Weeks, weeksOf } from '../components/activity.js';
import { releaseName } from '../components/entries.js';
import { TitleLink } from '../components/entry-list.js';
import { feedLinks } from '../components/feeds.js';
import { Icon } from '../components/icon.js';
import { Alert, splitIncidents } from '../components/incidents.js';
import { Page } from '../components/layout.js';
import { PartNotice, STATUS_KINDS, type Currency } from '../components/notices.js';
import { PastSection } from '../components/past.js';
import { Section } from '../components/blocks.js';
import { Services, type DaysOf } from '../components/services.js';
import { PlainHero, StatusHero } from '../components/hero.js';
import { Stream, type StreamData } from '../components/stream.js';
import { Time } from '../components/inline.js';
import { useView } from '../view.js';

/** What the overview shows. `null` stands for a part that could not be read. */
export interface OverviewData extends Currency, StreamData {
  readonly status: StatusOverview | null;
  readonly days: DaysOf;
  /** All known incidents. Days on which one lasts are not counted as days without incidents. */
  readonly lasting: readonly Incident[];
  /** A year, oldest first, every day listed. */
  readonly activity: readonly ActivityDay[] | null;
  /** Those with the latest activity, newest first. */
  readonly repositories: readonly ActiveRepository[] | null;
}

/** A repository with the days of at least {@link REPOSITORY_WEEKS}, oldest first; `null`: they could not be read. */
export interface ActiveRepository {
  readonly repository: Repository;
  readonly days: readonly ActivityDay[] | null;
}

const FEEDS = ['incidents', 'commits', 'releases', 'findings', 'news'] as const;
const STREAM_KINDS = ['commit', 'release', 'finding', 'news'] as const;
const STREAM_LISTS = ['releases', 'commits', 'findings', 'news'] as const;
const MOST_VERSIONS = 4;
/** How many weeks the activity has at most, and that of one repository. */
const MOST_WEEKS = 26;
export const REPOSITORY_WEEKS = 20;

export function OverviewPage({ data }: { readonly data: OverviewData }) {
  const view = useView();
  const { t, site, present, publicUrl } = view;
  const alternates = feedLinks(FEEDS, view);
  const state = present.has('status') && data.status?.services.length !== 0 ? data.status?.overallState : undefined;
  const linkedData = { '@type': 'WebSite', name: site.title, url: `${publicUrl}/`, description: site.description ?? t.description(site.title) };
  return (
    <Page head={{ title: null, description: null, path: '/', json: '/api/v1/overview', state, alternates, linkedData }} currency={data}>
      {present.has('status') ? <StatusPart data={data} /> : <PlainHero />}
      {[...present].every((place) => place === 'status') ? <Past data={data} /> : <Development data={data} />}
    </Page>
  );
}

function Development({ data }: { readonly data: OverviewData }) {
  const { t } = useView();
  return (
    <div class="wrap split">
      <News data={data} />
      <aside aria-label={t.glance}>
        <Activity days={data.activity} />
        <Versions releases={data.releases ?? []} hasMany={(data.repositories ?? []).length > 1} />
        <Repositories repositories={data.repositories ?? []} />
      </aside>
    </div>
  );
}

/** For a team that shows nothing but its services. */
function Past({ data: { past, lasting, status } }: { readonly data: OverviewData }) {
  const { current } = splitIncidents(status?.incidents.current ?? []);
  return (
    <div class="wrap">
      <PastSection incidents={past} lasting={[...current, ...lasting]} until={status?.observedAt ?? null} />
    </div>
  );
}

function StatusPart({ data: { status, days } }: { readonly data: OverviewData }) {
  const { t, links } = useView();
  const alerts = <Alerts incidents={status?.incidents.current ?? []} />;
  // A team can declare incidents although no service is checked.
  if (status?.services.length === 0) return <PlainHero>{alerts}</PlainHero>;
  return (
    <>
      <StatusHero status={status}>{alerts}</StatusHero>
      <div class="wrap">
        <Section
          heading={t.services}
          id="services"
          class=""
          more={{ href: links.to('/status'), label: t.more.status }}
          isLive
          kinds={[...STATUS_KINDS, 'incident']}
        >
          {status === null ? null : <OwnServices services={status.services} days={days} />}
        </Section>
      </div>
    </>
  );
}

/** Many services are on their own page. */
const MOST_SERVICES = 12;

function OwnServices({ services, days }: { readonly services: readonly ServiceStatus[]; readonly days: DaysOf }) {
  const { t, links, format } = useView();
  if (services.length <= MOST_SERVICES) return <Services services={services} days={days} window="90d" />;
  const bad = services.filter(({ currentState }) => currentState !== 'operational');
  const shown = [...bad, ...services.filter(({ currentState }) => currentState === 'operational')].slice(0, MOST_SERVICES).map(({ key }) => key);
  return (
    <>
      <Services services={services} shown={new Set(shown)} days={days} window="90d" />
      <p>
        <a class="button" href={links.to('/status')}>
          {t.allServices(format.number(services.length))}
        </a>
      </p>
    </>
  );
}

function Alerts({ incidents }: { readonly incidents: readonly Incident[] }) {
  const { current, planned } = splitIncidents(incidents);
  return (
    <>
      {[...current, ...planned].map((incident) => (
        <Alert key={incident.id} incident={incident} level={2} />
      ))}
    </>
  );
}

function News({ data }: { readonly data: OverviewData }) {
  const { t } = useView();
  const isEmpty = [data.commits, data.releases, data.findings, data.news].every((list) => list === null || list.length === 0);
  return (
    <section id="new" aria-labelledby="h-new" data-live="">
      <div class="head">
        <h2 id="h-new">{t.stream.heading}</h2>
      </div>
      <PartNotice kinds={STREAM_KINDS} />
      {isEmpty && (data.past ?? []).length === 0 ? (
        <div class="empty">
          <Icon name="sunrise" />
          <h3>{t.stream.empty}</h3>
          <p>{t.stream.emptyText}</p>
        </div>
      ) : (
        <>
          <Stream data={data} />
          <Older />
        </>
      )}
    </section>
  );
}

/** Where the stream goes on: the lists of what it shows. */
function Older() {
  const { t, links, present } = useView();
  return (
    <nav class="pager" aria-label={t.lists.older}>
      {STREAM_LISTS.filter((name) => present.has(name)).map((name) => (
        <a key={name} class="button" href={links.list(name)}>
          {t.more.list(t.places[name])}
        </a>
      ))}
    </nav>
  );
}

/** The activity of some months; nothing before the first commit. */
function Activity({ days }: { readonly days: readonly ActivityDay[] | null }) {
  const view = useView();
  const { t } = view;
  if (days === null) return <PartNotice kinds={['activity']} />;
  const weeks = weeksOf(days, MOST_WEEKS);
  if (weeks.length === 0) return null;
  return (
    <Section heading={t.activity.heading} id="activity" class="" aside={summaryOf(weeks, view)}>
      <Heat days={days} weeks={weeks} />
    </Section>
  );
}

interface VersionsProps {
  readonly releases: readonly WithRepository<Release>[];
  /** Whether there are several repositories. Then a version alone does not say of which one it is. */
  readonly hasMany: boolean;
}

/** The newest version of each repository that released lately. */
function Versions({ releases, hasMany }: VersionsProps) {
  const { t, links } = useView();
  const newest = [...new Map([...releases].reverse().map((item) => [item.repository.fullName, item])).values()].reverse().slice(0, MOST_VERSIONS);
  if (newest.length === 0) return null;
  return (
    <Section heading={t.newestVersions} id="versions" class="" more={{ href: links.list('releases'), label: t.all }}>
      <ul class="list">
        {newest.map(({ repository, record }) => (
          <li key={record.id} class="pair">
            <TitleLink class="title" href={links.record('release', record.id)} text={releaseName(record)} />
            <span class="soft small">
              {hasMany ? `${repository.fullName} · ` : null}
              <Time at={record.publishedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Each with its commits by week, on one scale. */
function Repositories({ repositories }: { readonly repositories: readonly ActiveRepository[] }) {
  const { t, links } = useView();
  if (repositories.length === 0) return null;
  const active = repositories.map(({ repository, days }) => ({ repository, weeks: weeksOf(days ?? [], REPOSITORY_WEEKS) }));
  const top = mostCommits(active.flatMap(({ weeks }) => weeks));
  const axis = Math.max(...active.map(({ weeks }) => weeks.length));
  const hasWeeks = axis > 0;
  return (
    <Section
      heading={t.places.repositories}
      id="repositories"
      class=""
      {...(hasWeeks && { aside: t.activity.byWeek })}
      more={{ href: links.list('repositories'), label: t.all }}
    >
      <ul class="list">
        {active.map(({ repository, weeks }) => (
          <li key={repository.fullName} class="beside">
            <RepositoryLine repository={repository} />
            <Weeks weeks={weeks} axis={axis} top={top} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RepositoryLine({ repository: { fullName, description, latestRelease, latestActivityAt } }: Pick<ActiveRepository, 'repository'>) {
  const { t, links } = useView();
  return (
    <div>
      <a class="title" href={links.record('repository', fullName)}>
        {fullName}
      </a>
      {description === undefined ? null : (
        <p class="soft small" dir="auto">
          {description}
        </p>
      )}
      <div class="soft small">
        {latestRelease === null ? null : <span dir="auto">{`${latestRelease.tagName} · `}</span>}
        {latestActivityAt === null ? t.record.noActivity : <Time at={latestActivityAt} />}
      </div>
    </div>
  );
}
