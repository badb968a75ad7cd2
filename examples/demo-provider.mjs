// What the source of a status page would have recorded of the documents in `provider/`, by its own parser. Needs `npm run build`.
import { readFileSync } from 'node:fs';
import { encodeLine } from '../packages/collector/dist/sources/records/encode-line.js';
import { readIncidents, readSummary } from '../packages/collector/dist/sources/statuspage/statuspage-documents.js';
import { chosenComponents, componentRecords, incidentRecord } from '../packages/collector/dist/sources/statuspage/statuspage-records.js';

const INTERVAL = 12 * 3_600_000;
const ORIGIN = { label: 'Relay', pageUrl: 'https://status.relay.example', services: null, intervalMs: INTERVAL };

const document = (name) => readFileSync(new URL(`provider/${name}.json`, import.meta.url));

/** The label of the source. */
export const PROVIDER = ORIGIN.label;

/** Lines with the provider's services, their checks between two times, its incidents and its maintenance. */
export function providerLines(first, last) {
  const summary = readSummary(document('summary'));
  const incidents = readIncidents(document('incidents'), 'incidents');
  const plans = readIncidents(document('scheduled-maintenances'), 'scheduled_maintenances');
  const { chosen } = chosenComponents(summary, ORIGIN);
  const changes = changesIn(document('incidents'));
  const lines = [];
  for (const component of chosen) {
    for (let time = first; time <= last; time += INTERVAL) {
      const [service, check] = componentRecords({ ...component, status: statusAt(changes, component.id, time) }, ORIGIN, time);
      if (time === first) lines.push(encodeLine(service));
      lines.push(encodeLine(check));
    }
  }
  const shown = new Map(chosen.map((component) => [component.id, component]));
  return [...lines, ...[...incidents, ...plans].map((incident) => encodeLine(incidentRecord(incident, shown, ORIGIN)))];
}

/** When the updates of the incidents changed the status of a component, in the order of time. */
function changesIn(body) {
  return JSON.parse(body)
    .incidents.flatMap(({ incident_updates: updates }) => updates)
    .flatMap(({ display_at: time, affected_components: affected }) =>
      affected.map(({ code, new_status: status }) => ({ id: code, time: Date.parse(time), status })),
    )
    .sort((a, b) => a.time - b.time);
}

function statusAt(changes, id, time) {
  return changes.findLast((change) => change.id === id && change.time <= time)?.status ?? 'operational';
}
