import { withoutCovered, type Incident } from '@vitrine/core';
import { useView } from '../view.js';
import { Card } from './card.js';
import { IncidentCard } from './incident-card.js';

/** Unresolved incidents, and maintenance that is planned or under way; nothing if there is neither. A detected incident is left out while one that covers it is shown. */
export function CurrentIncidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const { t } = useView();
  const shown = withoutCovered(incidents);
  const planned = shown.filter(({ state }) => state === 'scheduled');
  const current = shown.filter(({ state }) => state !== 'scheduled');
  return (
    <>
      <IncidentGroup heading={t.currentIncidents} id="incidents" incidents={current} />
      <IncidentGroup heading={t.planned} id="planned" incidents={planned} />
    </>
  );
}

interface IncidentGroupProps {
  readonly heading: string;
  readonly id: string;
  readonly incidents: readonly Incident[];
}

function IncidentGroup({ heading, id, incidents }: IncidentGroupProps) {
  if (incidents.length === 0) return null;
  return (
    <Card heading={heading} live={id}>
      {incidents.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
    </Card>
  );
}
