import type { Incident, IncidentUpdate } from '@vitrine/core';
import { messagesOf } from '../messages/messages.js';
import type { Site } from '../site.js';
import { formatterOf, serviceName } from './formatter.js';

/**
 * Vitrine stores the texts of an outage that it detected in English. This writes them in the language of the site, from the facts of the incident. All other
 * incidents have texts of people, and stay as they are.
 */
export function detectedTexts({ language, timeZone }: Pick<Site, 'language' | 'timeZone'>): (incident: Incident) => Incident {
  const { incident: t } = messagesOf(language);
  const format = formatterOf(language, timeZone);

  const endOf = ({ startedAt, confirmingChecks: count = null, endUncertain }: Incident, endAt: number): string => {
    const length = format.durationInWords(endAt - startedAt);
    const ended = endUncertain === true ? t.endNotKnown(length) : t.ended(length);
    return count === null ? ended : `${ended} ${t.confirmed(count, format.number(count))}`;
  };
  const bodyOf = (incident: Incident, { state, body, createdAt }: IncidentUpdate): string => {
    if (state === 'investigating') return t.foundDown;
    return state === 'resolved' ? endOf(incident, createdAt) : body;
  };
  return (incident) => {
    const [service] = incident.services;
    if (service === undefined || !isOwn(incident)) return incident;
    const updates = incident.updates.map((update) => ({ ...update, body: bodyOf(incident, update) }));
    return { ...incident, title: t.outageOf(serviceName(service)), updates };
  };
}

function isOwn({ incidentKind, provenance: { source, sourceKind } }: Incident): boolean {
  return incidentKind === 'detected' && source === 'vitrine' && sourceKind === 'service-interpretation';
}
