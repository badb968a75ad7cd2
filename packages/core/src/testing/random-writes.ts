import { type RecordIdentity, type StoredRecord, keyOfIdentity } from '../kinds/identity.js';
import { DAY, HOUR, MINUTE, startOfDay } from '../kinds/instant.js';
import type { StatusDay } from '../kinds/status-day.js';
import type { ReadContext } from '../ports/readers.js';
import type { RecordStore } from '../ports/store.js';
import { Allowlist } from '../rules/allowlist.js';
import { NOW, aCommit, aFinding, aProvenance, aRelease, aRepositoryRecord, aSync } from './builders.js';
import { someNews } from './content-builders.js';
import { identityOf } from './feed-follower.js';
import type { Random } from './random.js';
import { aCheck, aService, aStatusDay, anIncident } from './status-builders.js';

/** The repositories to which {@link randomWrite} writes. */
export const WRITTEN_REFS = ['acme/widget', 'acme/gadget'] as const;
const OLD_DAY = startOfDay(NOW - 500 * DAY);

/** A small world, so that random writes often concern a record that is stored already. */
const RECORDS: readonly ((random: Random) => StoredRecord)[] = [
  (random) => aRepositoryRecord({ repositoryRef: random.pick(WRITTEN_REFS), defaultBranch: random.pick(['main', 'next']) }),
  (random) => aCommit({ repositoryRef: random.pick(WRITTEN_REFS), sha: digit(random).repeat(40), title: title(random), committedAt: time(random) }),
  (random) => {
    const [repositoryRef, tagName] = [random.pick(WRITTEN_REFS), `v${digit(random)}`];
    return aRelease({ repositoryRef, id: `${repositoryRef}@${tagName}`, tagName, name: title(random), publishedAt: time(random) });
  },
  (random) => aFinding({ repositoryRef: random.pick(WRITTEN_REFS), id: `fnd_${digit(random)}`, title: title(random) }),
  (random) => someNews({ id: `nws_${digit(random)}`, title: title(random) }),
  (random) => anIncident({ id: `inc_${digit(random)}`, title: title(random) }),
  (random) => aService({ key: serviceKey(random), displayName: title(random) }),
  (random) => {
    const checkedAt = NOW - Number(digit(random)) * MINUTE;
    const provenance = aProvenance({ source: random.pick(['a', 'b']), observedAt: checkedAt });
    return aCheck({ serviceKey: serviceKey(random), state: random.pick(['operational', 'outage']), checkedAt, provenance });
  },
  (random) => frozenDay(serviceKey(random), Number(digit(random))),
  (random) => {
    const repositoryRef = random.pick(WRITTEN_REFS);
    const [state, lastSuccessAt] = [random.pick([null, 'page 2']), random.chance(0.5) ? time(random) : null];
    return aSync({ id: `git:${repositoryRef}`, repositoryRef, state, lastSuccessAt, lastAttemptAt: time(random) });
  },
];

const title = (random: Random): string => random.pick(['widget one', 'widget two']);
const time = (random: Random): number => NOW + (random.int(5) - 3) * HOUR;
const digit = (random: Random): string => String(1 + random.int(2));
const serviceKey = (random: Random): string => random.pick(['acme:api', 'acme:docs']);

function frozenDay(key: string, operational: number): StatusDay {
  const counts = { operational, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };
  return aStatusDay({ serviceKey: key, day: OLD_DAY, counts, changedAt: null, latency: { buckets: [], max: 0 } });
}

/** Records of different identities. */
function randomBatch(random: Random): StoredRecord[] {
  const records = Array.from({ length: 1 + random.int(8) }, () => RECORDS[random.int(RECORDS.length)]?.(random) ?? someNews());
  return [...new Map(records.map((record) => [nameOfRecord(record), record])).values()];
}

/** A text that no other record has. */
export function nameOfRecord(record: StoredRecord): string {
  if (record.kind === 'check') return `check ${record.serviceKey} ${String(record.checkedAt)} ${record.provenance.source}`;
  return record.kind === 'status-day' ? `status-day ${record.serviceKey} ${String(record.day)}` : `${record.kind} ${keyOfIdentity(record)}`;
}

/** Makes one call of the writer. Returns whether it was `indexFor`. */
export async function randomWrite(random: Random, { writer }: Pick<RecordStore, 'writer'>, context: ReadContext): Promise<boolean> {
  const chance = random.int(8);
  if (chance < 4) await writer.put(randomBatch(random), context);
  else if (chance < 6)
    await writer.remove(
      randomBatch(random).map((record): RecordIdentity => identityOf(record)),
      context,
    );
  else if (chance === 6)
    await writer.moveCommits(random.pick(WRITTEN_REFS), [{ sha: digit(random).repeat(40), branch: random.pick(['main', 'next']) }], context);
  else await writer.indexFor(Allowlist.of(...WRITTEN_REFS.filter(() => random.chance(0.5))).approved(), context);
  return chance === 7;
}
