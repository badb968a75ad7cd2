import { z } from 'zod';

const run = z.object({ from: z.number(), until: z.number(), checks: z.number(), isEnded: z.boolean() });
const marks = z.object({ source: z.string(), firstAt: z.number(), runs: z.array(run) });
const day = z.object({ day: z.number(), version: z.string(), marks: z.array(marks) });
const known = z.object({ id: z.string(), from: z.number(), until: z.number().nullable(), hash: z.string() });
const schema = z.record(z.string(), z.object({ name: z.string(), from: z.number(), days: z.array(day), incidents: z.array(known) }));

/** What is remembered of each service, by its key. Days before `from` are forgotten: their incidents stay as they are. */
export type DetectedState = z.output<typeof schema>;
export type ServiceMemory = DetectedState[string];
/** What the checks of a day say about outages. Only days that matter to an outage are remembered. */
export type RememberedDay = z.output<typeof day>;
/** An incident that the source has stored. The hash is that of its record. */
export type KnownIncident = z.output<typeof known>;

/** A state that cannot be read is empty: everything is read and stored again. */
export function parseDetectedState(text: string | null): DetectedState {
  try {
    return schema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

/** The state while records are written: it has every incident that was stored or is about to be. A hash that is empty says that its record must be stored again. */
export function stateWhileWriting(before: DetectedState, after: DetectedState): DetectedState {
  const all = { ...before };
  for (const [key, memory] of Object.entries(after)) {
    const known = before[key]?.incidents ?? [];
    const ids = new Set(known.map(({ id }) => id));
    const added = memory.incidents.filter(({ id }) => !ids.has(id)).map((incident) => ({ ...incident, hash: '' }));
    all[key] = { name: memory.name, from: memory.from, days: before[key]?.days ?? [], incidents: [...known, ...added] };
  }
  return all;
}
