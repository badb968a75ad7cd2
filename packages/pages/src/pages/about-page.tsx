import type { ServiceStatus, SourceStatus } from '@vitrine/core';
import { FEED_NAMES, feedLinks, FeedList } from '../components/feeds.js';
import { Copy, Pager, Section, Table } from '../components/blocks.js';
import { TitleLink } from '../components/entry-list.js';
import { Hero } from '../components/hero.js';
import { Page } from '../components/layout.js';
import type { Currency } from '../components/notices.js';
import { RepositoryLink, Time } from '../components/inline.js';
import { said } from '../components/state.js';
import { serviceName } from '../text/formatter.js';
import { useView } from '../view.js';
import type { ListAddress } from '../page-links.js';

/** Where everything comes from, and how uptime is computed. */
export interface AboutData extends Currency {
  readonly sources: readonly SourceStatus[];
  /** A service with an uptime, to show how it is computed; `null`: there is none. */
  readonly example: ServiceStatus | null;
  readonly address: ListAddress;
}

export function AboutPage({ data }: { readonly data: AboutData }) {
  const { t, present } = useView();
  const { sources, example, address } = data;
  return (
    <Page head={{ title: t.places.about, description: t.about.intro, path: address.path, json: address.json }} currency={data}>
      <Hero heading={t.places.about} lead={t.about.intro} hasNotice />
      <div class="wrap">
        <Section heading={t.about.sources} id="sources">
          {sources.length === 0 ? <p class="soft">{t.about.noSources}</p> : <SourceTable sources={sources} />}
          <Pager address={address} nextLabel={t.lists.next} />
        </Section>
        {present.has('status') ? (
          <Section heading={t.about.uptime} id="uptime">
            <div class="prose">
              <ul>
                {t.about.uptimeRules.map((rule) => (
                  <li key={rule}>{rule}</li>
                ))}
              </ul>
              {example === null ? null : <Example service={example} />}
            </div>
          </Section>
        ) : null}
        <Programs />
      </div>
    </Page>
  );
}

function Programs() {
  const view = useView();
  const { t, links, present, publicUrl } = view;
  const programs = [
    [links.api(''), t.about.api],
    [links.to('/openapi.json'), t.about.openApi],
    [links.to('/sitemap.xml'), t.about.map],
  ] as const;
  const badge = `![status](${publicUrl}/badges/status.svg)`;
  return (
    <Section heading={t.about.programs} id="programs">
      <div class="tiles">
        <FeedList feeds={feedLinks(FEED_NAMES, view)} />
        <ul class="feeds">
          {programs.map(([href, label]) =>
            href === undefined ? null : (
              <li key={label}>
                <a href={href}>{label}</a>
              </li>
            ),
          )}
          {links.to('/badges/status.svg') === undefined || !present.has('status') ? null : (
            <li>
              {t.about.badge}: <code>{badge}</code> <Copy text={badge} />
            </li>
          )}
        </ul>
      </div>
    </Section>
  );
}

/** The uptime of a service, computed in front of the reader. */
function Example({ service }: { readonly service: ServiceStatus }) {
  const { t, format, links } = useView();
  const { operational, degraded, outage } = service.checks;
  const rated = operational + degraded + outage;
  const [up, all] = [format.number(operational + degraded), format.number(rated)];
  return (
    <section>
      <h3>
        <TitleLink href={links.record('status-service', service.key)} text={t.about.example(serviceName(service))} />
      </h3>
      <p>{t.about.formula}:</p>
      <p>
        <code>
          100 × ({format.number(operational)} + {format.number(degraded)}) / ({format.number(operational)} + {format.number(degraded)} +{' '}
          {format.number(outage)}) = 100 × {up} / {all} = {format.exact((100 * (operational + degraded)) / rated)}
        </code>
        {service.uptimePercent === null ? null : <>, {t.about.exact(format.percent(service.uptimePercent))}</>}
      </p>
    </section>
  );
}

function SourceTable({ sources }: { readonly sources: readonly SourceStatus[] }) {
  const { t } = useView();
  const { about } = t;
  const headings = [t.record.source, about.type, about.feeds, about.state, about.lastSuccess, about.interval];
  return (
    <Table label={about.sources} headings={headings} isStacked>
      {sources.map((source) => (
        <SourceRow key={source.id} source={source} />
      ))}
    </Table>
  );
}

function SourceRow({ source }: { readonly source: SourceStatus }) {
  const { t, format, links } = useView();
  const { label, sourceType, feeds, repository, service, state, lastSuccessAt, intervalMs } = source;
  const subjects = [repository, service].filter((name) => name !== null);
  return (
    <tr>
      <th scope="row" dir="auto">
        {subjects.includes(label) ? null : <>{label} </>}
        {repository === null ? null : <RepositoryLink repository={{ fullName: repository }} />}
        {service === null ? null : <a href={links.record('status-service', service)}>{service}</a>}
      </th>
      <td>{t.sourceTypes[sourceType]}</td>
      <td>{feeds.map((kind) => said(t.kinds, kind) ?? kind).join(', ')}</td>
      <td>{t.about.sourceStates[state]}</td>
      <td data-label={t.about.lastSuccess}>{lastSuccessAt === null ? t.about.never : <Time at={lastSuccessAt} />}</td>
      <td class="end" data-label={t.about.interval}>
        {format.interval(intervalMs)}
      </td>
    </tr>
  );
}
