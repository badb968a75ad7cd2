import type { Build, Repository, RepositoryHub } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { ActivityDay } from '../components/calendar.js';
import { Card } from '../components/card.js';
import { commitEntry, findingEntry, missionEntry, releaseEntry } from '../components/development-entries.js';
import { EntryList, type Entry } from '../components/entry-list.js';
import { ExternalLink } from '../components/external-link.js';
import { Facts } from '../components/facts.js';
import { feedLinks } from '../components/feed-links.js';
import { Page } from '../components/layout.js';
import { CurrencyContext, EndNotice, type Currency } from '../components/notices.js';
import { ProvenanceLine } from '../components/provenance-line.js';
import { Tag } from '../components/tag.js';
import { Time } from '../components/time.js';
import { useView, type View } from '../view.js';
import { Activity } from './overview-page.js';
import type { PageAddress } from './page-address.js';

const PARTS = ['commits', 'releases', 'findings', 'missions'] as const;

/** One repository with its newest records. */
export interface HubData extends Currency {
  readonly hub: RepositoryHub;
  /** A year of this repository; `null`: it could not be read. */
  readonly activity: readonly ActivityDay[] | null;
  readonly address: PageAddress;
}

export function HubPage({ data, publicUrl }: { readonly data: HubData; readonly publicUrl: string }) {
  const view = useView();
  const { hub, activity, address } = data;
  const { repository } = hub;
  const beside = <Record,>(record: Record) => ({ record, repository });
  const alternates = feedLinks(PARTS, view.t, { repository: repository.fullName });
  const linkedData = { '@type': 'SoftwareSourceCode', name: repository.fullName, codeRepository: repository.provenance.sourceUrl };
  return (
    <Page head={{ title: repository.fullName, description: null, ...address, alternates, publicUrl, linkedData }} currency={data}>
      <RepositoryHead repository={repository} />
      <Activity days={activity} />
      <div class="columns">
        <Part name="commits" repository={repository} entries={hub.commits.map((record) => commitEntry(beside(record), view))} />
        <div>
          <Part name="releases" repository={repository} entries={hub.releases.map((record) => releaseEntry(beside(record), view))} />
          <Part name="findings" repository={repository} entries={hub.findings.map((record) => findingEntry(beside(record), view))} />
          <Builds builds={hub.builds} />
          <Part name="missions" repository={repository} entries={hub.missions.map((record) => missionEntry(beside(record), view))} />
        </div>
      </div>
      <EndNotice />
    </Page>
  );
}

function RepositoryHead({ repository }: { readonly repository: Repository }) {
  const { t } = useView();
  const { fullName, defaultBranch, latestActivityAt, lastSyncedAt, provenance } = repository;
  return (
    <section class="card">
      <h1>{fullName}</h1>
      <Facts
        facts={[
          [t.record.latestActivity, latestActivityAt === null ? t.record.noActivity : <Time at={latestActivityAt} />],
          [t.record.defaultBranch, defaultBranch],
          [t.record.collected, <Time at={lastSyncedAt} />],
        ]}
      />
      <ProvenanceLine provenance={provenance} url={provenance.sourceUrl} />
    </section>
  );
}

const KINDS = { commits: 'commit', releases: 'release', findings: 'finding', missions: 'mission' } as const;

interface PartProps {
  readonly name: (typeof PARTS)[number];
  readonly repository: Repository;
  readonly entries: readonly Entry[];
}

function Part({ name, repository, entries }: PartProps) {
  const { t, links } = useView();
  return (
    <Card heading={t.places[name]} more={{ href: links.list(name, { repository: repository.fullName }), label: t.more[name] }} kinds={[KINDS[name]]}>
      {entries.length === 0 ? <EmptyPart kind={KINDS[name]} /> : <EntryList entries={entries} />}
    </Card>
  );
}

/** Nothing is said of a part that could not be read: the notice of its card says why. */
function EmptyPart({ kind }: { readonly kind: string }) {
  const { t } = useView();
  const isMissing = useContext(CurrencyContext)?.warnings.some(({ code, source }) => code === 'SOURCE_UNAVAILABLE' && source === kind) ?? false;
  return isMissing ? null : <p class="soft">{t.lists.empty}</p>;
}

function Builds({ builds }: { readonly builds: readonly Build[] }) {
  const view = useView();
  if (builds.length === 0) return null;
  return (
    <Card heading={view.t.record.builds}>
      <ul class="list">
        {builds.map((build) => (
          <li key={build.id}>
            <span class="title" dir="auto">
              <ExternalLink href={build.url}>{build.name === '' ? view.t.record.untitled : build.name}</ExternalLink>
            </span>
            <div class="meta">{buildFacts(build, view)}</div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function buildFacts({ number, state, branch, platform, finishedAt, durationSeconds }: Build, { t, format }: View): ComponentChildren {
  return (
    <>
      <Tag>{state}</Tag>
      {number === null ? null : <span>#{String(number)}</span>}
      {branch === null ? null : <span dir="auto">{branch}</span>}
      {platform === null ? null : <span dir="auto">{platform}</span>}
      {durationSeconds === null ? null : <span>{t.about.seconds(format.number(durationSeconds))}</span>}
      {finishedAt === null ? null : <Time at={finishedAt} />}
    </>
  );
}
