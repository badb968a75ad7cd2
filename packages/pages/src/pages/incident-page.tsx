import type { Incident, IncidentService } from '@vitrine/core';
import { ExternalLink } from '../components/external-link.js';
import { Card } from '../components/card.js';
import { IncidentFacts } from '../components/incident-card.js';
import { Page } from '../components/layout.js';
import { PageNotice, type Currency } from '../components/notices.js';
import { State } from '../components/state.js';
import { FullTime } from '../components/time.js';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import type { PageAddress } from './page-address.js';

export interface IncidentData extends Currency {
  readonly incident: Incident;
  /** The declared incidents that cover this detected one. */
  readonly coveredBy: readonly Incident[];
  readonly address: PageAddress;
}

export function IncidentPage({ data, publicUrl }: { readonly data: IncidentData; readonly publicUrl: string }) {
  const { t } = useView();
  const { incident, coveredBy, address } = data;
  const covers = (incident.covers ?? []).map((id) => ({ id, title: id }));
  return (
    <Page head={{ title: incident.title, description: incident.updates[0]?.body ?? null, ...address, ogType: 'article', publicUrl }} currency={data}>
      <section class="card">
        <h1 dir="auto">{incident.title.trim() === '' ? t.record.untitled : incident.title}</h1>
        <IncidentFacts incident={incident} />
        {incident.sourceUrl === null ? null : (
          <p class="soft">
            <ExternalLink href={incident.sourceUrl}>{t.record.original}</ExternalLink>
          </p>
        )}
      </section>
      <PageNotice />
      <Updates incident={incident} />
      <RelatedIncidents heading={t.incident.coveredBy} incidents={coveredBy} />
      <RelatedIncidents heading={t.incident.covers} incidents={covers} />
      {incident.services.length === 0 ? null : (
        <Card heading={t.incident.affected}>
          <ul class="list">
            {incident.services.map((service) => (
              <AffectedService key={service.key} service={service} />
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}

function Updates({ incident }: { readonly incident: Incident }) {
  const { t } = useView();
  const updates = [...incident.updates].sort((a, b) => b.createdAt - a.createdAt);
  return (
    <Card heading={t.incident.updates} live="updates">
      {updates.length === 0 ? <p class="soft">{t.incident.noUpdates}</p> : null}
      <ol class="list">
        {updates.map(({ id, state, body, createdAt }) => (
          <li key={id}>
            <div class="meta">
              <span class="tag">{t.incident.states[state]}</span>
              <FullTime at={createdAt} />
            </div>
            <p class="plain" dir="auto">
              {body}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface RelatedIncidentsProps {
  readonly heading: string;
  readonly incidents: readonly Pick<Incident, 'id' | 'title'>[];
}

function RelatedIncidents({ heading, incidents }: RelatedIncidentsProps) {
  const { t, links } = useView();
  if (incidents.length === 0) return null;
  return (
    <Card heading={heading}>
      <ul class="list">
        {incidents.map(({ id, title }) => (
          <li key={id}>
            <a href={links.record('incident', id)} dir="auto">
              {title.trim() === '' ? t.record.untitled : title}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AffectedService({ service }: { readonly service: IncidentService }) {
  const { t, links } = useView();
  return (
    <li>
      <a class="title" href={links.record('status-service', service.key)} dir="auto">
        {serviceName(service)}
      </a>
      {service.impacts.map(({ state, startAt, endAt }) => (
        <div class="meta" key={startAt}>
          <State state={state} />
          <span>
            <FullTime at={startAt} /> – {endAt === null ? t.incident.ongoing : <FullTime at={endAt} />}
          </span>
        </div>
      ))}
    </li>
  );
}
