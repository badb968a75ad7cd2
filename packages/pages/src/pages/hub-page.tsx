import type { ActivityDay, Repository, RepositoryHub } from '@vitrine/core';
import { useContext } from 'preact/hooks';
import { summaryOf, Weeks, weeksOf } from '../components/activity.js';
import { commitEntry, findingEntry, missionEntry, releaseEntry, releaseName } from '../components/entries.js';
import { EntryList, type Entry } from '../components/entry-list.js';
import { Time, ViewOn } from '../components/inline.js';
import { feedLinks } from '../components/feeds.js';
import { Hero } from '../components/hero.js';
import { Page } from '../components/layout.js';
import { CurrencyContext, PartNotice, type Currency } from '../components/notices.js';
import { Section } from '../components/blocks.js';
import { Builds } from '../components/builds.js';
import { useView } from '../view.js';
import type { PageAddress } from '../page-links.js';

const PARTS = ['releases', 'commits', 'findings', 'missions'] as const;

/** One repository with its newest records. */
export interface HubData extends Currency {
  readonly hub: RepositoryHub;
  /** A year of this repository; `null`: it could not be read. */
  readonly activity: readonly ActivityDay[] | null;
  readonly address: PageAddress;
}

export function HubPage({ data }: { readonly data: HubData }) {
  const view = useView();
  const { hub, activity, address } = data;
  const { repository } = hub;
  const beside = <Record,>(record: Record) => ({ record, repository });
  const alternates = feedLinks(PARTS, view, { repository: repository.fullName });
  const linkedData = {
    '@type': 'SoftwareSourceCode',
    name: repository.fullName,
    codeRepository: repository.provenance.sourceUrl,
    programmingLanguage: repository.language,
  };
  const entries = {
    releases: hub.releases.map((record) => releaseEntry(beside(record), view, 'repository')),
    commits: hub.commits.map((record) => commitEntry(beside(record), view, 'repository')),
    findings: hub.findings.map((record) => findingEntry(beside(record), view, 'repository')),
    missions: hub.missions.map((record) => missionEntry(beside(record), view, 'repository')),
  };
  return (
    <Page head={{ title: repository.fullName, description: repository.description ?? null, ...address, alternates, linkedData }} currency={data}>
      <RepositoryHero repository={repository} activity={activity} />
      <div class="wrap">
        <Activity days={activity} />
        <div class="tiles flow">
          {PARTS.map((name) => (
            <Part key={name} name={name} repository={repository} entries={entries[name]} />
          ))}
          <Builds builds={hub.builds} />
        </div>
      </div>
    </Page>
  );
}

function RepositoryHero({ repository, activity }: Pick<HubData, 'activity'> & { readonly repository: Repository }) {
  const { t, links } = useView();
  const { owner, name, description = null, language, defaultBranch, lastSyncedAt, provenance } = repository;
  const heading = (
    <>
      <span class="soft">{owner}/</span>
      {name}
    </>
  );
  const meta = (
    <>
      {language === undefined ? null : <span>{language}</span>}
      {defaultBranch === null ? null : (
        <span>
          {t.record.defaultBranch} <code>{defaultBranch}</code>
        </span>
      )}
      <span>
        {t.record.collected} <Time at={lastSyncedAt} />
      </span>
    </>
  );
  const crumbs = [{ label: t.places.repositories, href: links.list('repositories') }];
  return (
    <Hero
      heading={heading}
      crumbs={crumbs}
      lead={description === null ? null : <span dir="auto">{description}</span>}
      tools={<ViewOn href={provenance.sourceUrl} />}
      meta={meta}
    >
      <Figures repository={repository} activity={activity} />
    </Hero>
  );
}

function Figures({ repository: { latestActivityAt, latestRelease }, activity }: Parameters<typeof RepositoryHero>[0]) {
  const { t, format } = useView();
  const commits = (activity ?? []).slice(-90).reduce((sum, day) => sum + day.commits, 0);
  return (
    <dl class="figures">
      {latestRelease === null ? null : (
        <div>
          <dt>{t.record.latestRelease}</dt>
          <dd dir="auto">
            {releaseName(latestRelease)}
            <small>
              <Time at={latestRelease.publishedAt} />
            </small>
          </dd>
        </div>
      )}
      <div>
        <dt>{t.record.latestActivity}</dt>
        <dd>{latestActivityAt === null ? '–' : <Time at={latestActivityAt} />}</dd>
      </div>
      {activity === null ? null : (
        <div>
          <dt>{t.record.commits90}</dt>
          <dd>{format.number(commits)}</dd>
        </div>
      )}
    </dl>
  );
}

/** In weeks. */
const YEAR = 52;

function Activity({ days }: { readonly days: HubData['activity'] }) {
  const view = useView();
  if (days === null) return <PartNotice kinds={['activity']} />;
  const weeks = weeksOf(days, YEAR);
  if (weeks.length === 0) return null;
  return (
    <Section heading={view.t.activity.byWeek} id="activity" aside={summaryOf(weeks, view)}>
      <Weeks weeks={weeks} axis={weeks.length} isLarge />
    </Section>
  );
}

const KINDS = { commits: 'commit', releases: 'release', findings: 'finding', missions: 'mission' } as const;

interface PartProps {
  readonly name: (typeof PARTS)[number];
  readonly repository: Repository;
  readonly entries: readonly Entry[];
}

function Part({ name, repository, entries }: PartProps) {
  const { t, links, present } = useView();
  if (entries.length === 0 && !present.has(name)) return null;
  return (
    <Section
      heading={t.places[name]}
      id={name}
      class="panel pad"
      more={{ href: links.list(name, { repository: repository.fullName }), label: t.all }}
      kinds={[KINDS[name]]}
    >
      {entries.length === 0 ? <EmptyPart kind={KINDS[name]} /> : <EntryList entries={entries} />}
    </Section>
  );
}

/** Nothing is said of a part that could not be read: the notice of its section says why. */
function EmptyPart({ kind }: { readonly kind: string }) {
  const { t } = useView();
  const isMissing = useContext(CurrencyContext).warnings.some(({ code, source }) => code === 'SOURCE_UNAVAILABLE' && source === kind);
  return isMissing ? null : <p class="soft">{t.lists.empty}</p>;
}
