import { isUnresolved, NO_REPOSITORY, type Incident, type RecordIdentity, type StoredRecord } from '@vitrine/core';
import { z } from 'zod';
import { putInBatches } from '../../running/record-batches.js';
import { fetchDocument } from '../../fetching/fetch-document.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { StateChanges } from '../../probes/probe-source.js';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { readIncidents, readSummary, type StatuspageComponent, type StatuspageIncident, type StatuspageSummary } from './statuspage-documents.js';
import { chosenComponents, componentRecords, incidentRecord, keyOf, type StatuspageOrigin } from './statuspage-records.js';

export interface StatuspageSourceOptions extends StatuspageOrigin {
  readonly client: OutgoingClient;
}

/** The keys of the services, and the ids of the unresolved incidents that the source has stored. `absent`: the keys that the page did not name at the last run. */
const stateSchema = z.object({ services: z.array(z.string()), open: z.array(z.string()), absent: z.array(z.string()).default([]) });
type State = z.output<typeof stateSchema>;

const LISTS = [
  ['incidents.json', 'incidents'],
  ['scheduled-maintenances.json', 'scheduled_maintenances'],
] as const;

interface Page {
  readonly summary: StatuspageSummary;
  readonly incidents: readonly StatuspageIncident[];
  /** Whether every list was read, so that an incident that is in none of them is gone. */
  readonly isWhole: boolean;
  readonly warnings: readonly string[];
}

/** Stores the states, incidents and maintenances of a provider's status page. Its services are dependencies, and bear the name of the provider. */
export class StatuspageSource extends RegisteredSource {
  readonly isRemote = true;
  readonly #changes = new StateChanges();
  readonly #options: StatuspageSourceOptions;

  constructor(options: StatuspageSourceOptions) {
    const { label, intervalMs } = options;
    const registration = { label, repositoryRef: NO_REPOSITORY, feeds: ['check', 'incident'] } as const;
    super(`statuspage ${label}`, intervalMs, { id: `statuspage:${label}`, sourceType: 'statuspage', ...registration });
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { writer, clock } = context;
    const at = clock.now();
    const page = await this.#fetch(context);
    const { chosen, missing } = chosenComponents(page.summary, this.#options);
    const sync = await this.syncIn(context);
    const before = parseState(stateSchema, sync?.state) ?? { services: [], open: [], absent: [] };
    const absent = this.#absentFrom(page, before);
    const incidents = this.#incidentsOf(page, chosen, absent);
    const services = [...new Set([...chosen.map(({ id }) => keyOf(id, this.#options)), ...absent])].sort();
    const after: State = { services, absent, open: openAfter(before, incidents, page) };
    const [allServices, allOpen] = [new Set([...before.services, ...services]), new Set([...before.open, ...after.open])];
    const known = JSON.stringify({ ...before, services: [...allServices], open: [...allOpen] });
    if (known !== JSON.stringify(before)) await this.remember(sync, known, context);
    const records: readonly StoredRecord[] = [...chosen.flatMap((component) => componentRecords(component, this.#options, at)), ...incidents];
    const { stored, unchanged, refused } = await putInBatches(records, at, context);
    const gone = goneOf(before, after, incidents);
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    await this.complete(sync, { at, state: JSON.stringify(after) }, context);
    const unknown = missing.map((name) => `the page has no component ${JSON.stringify(name)}; correct services`);
    const notices = this.#changes.noticesOf(records.filter((record) => record.kind === 'check'));
    return { stored, unchanged, removed, warnings: [...unknown, ...page.warnings, ...refused], notices };
  }

  async #fetch(context: SourceContext): Promise<Page> {
    const summary = readSummary(await this.#body('summary.json', context));
    const incidents = new Map([...summary.incidents, ...summary.scheduled_maintenances].map((incident) => [incident.id, incident]));
    const warnings: string[] = [];
    for (const [file, key] of LISTS) {
      // If a list cannot be read, the summary still has the unresolved ones, so this is a warning.
      const listed = await this.#body(file, context).then(
        (body) => readIncidents(body, key) ?? `${file} is not a document of Statuspage v2`,
        (error: unknown) => {
          if (error instanceof OutgoingError) return error.message;
          throw error;
        },
      );
      if (typeof listed === 'string') warnings.push(listed);
      else for (const incident of listed) incidents.set(incident.id, incident);
    }
    return { summary, incidents: [...incidents.values()], isWhole: warnings.length === 0, warnings };
  }

  async #body(file: string, { signal, clock }: SourceContext): Promise<Uint8Array> {
    const { client, address, allowPrivate } = this.#options;
    const request = { url: `${address}/api/v2/${file}`, allowPrivate, signal, clock, known: null, headers: { accept: 'application/json' } };
    return (await fetchDocument(client, request))?.body ?? new Uint8Array();
  }

  /** The services that stay for this run: a page that was published in the middle of a change can lack a component for a moment. */
  #absentFrom({ summary }: Page, before: State): string[] {
    const listed = new Set(summary.components.map(({ id }) => keyOf(id, this.#options)));
    return before.services.filter((key) => !listed.has(key) && !before.absent.includes(key));
  }

  #incidentsOf({ incidents }: Page, chosen: readonly StatuspageComponent[], absent: readonly string[]): readonly Incident[] {
    const lost = new Set(absent);
    const named = lost.size === 0 ? [] : incidents.flatMap(({ components }) => components);
    const kept = named.filter(({ id }) => lost.has(keyOf(id, this.#options)));
    const shown = new Map([...kept, ...chosen].map((component) => [component.id, component]));
    return incidents.flatMap((incident) => incidentRecord(incident, shown, this.#options) ?? []);
  }
}

/** The ids of the unresolved incidents. If a list could not be read, those from before stay. */
function openAfter(before: State, incidents: readonly Incident[], { isWhole }: Page): string[] {
  const open = incidents.filter(isUnresolved).map(({ id }) => id);
  const known = new Set(incidents.map(({ id }) => id));
  const kept = isWhole ? [] : before.open.filter((id) => !known.has(id));
  return [...new Set([...open, ...kept])].sort();
}

/** The services that are no longer shown, and the unresolved incidents that the page has deleted. Checks and resolved incidents stay. */
function goneOf(before: State, after: State, incidents: readonly Incident[]): readonly RecordIdentity[] {
  const present = new Set([...after.open, ...incidents.map(({ id }) => id)]);
  const services = before.services.filter((key) => !after.services.includes(key)).map((key) => ({ kind: 'service', key }) as const);
  return [...services, ...before.open.filter((id) => !present.has(id)).map((id) => ({ kind: 'incident', id }) as const)];
}
