import { z } from 'zod';
import { jsonIn } from '../../fetching/fetch-document.js';
import { DocumentError } from '../../running/source.js';

/** What is read of the documents of Statuspage v2. Other fields are ignored, and items that do not have these are left out. */
const text = z.string().max(100_000);
const optionalText = text.nullish().transform((value) => value ?? null);
const id = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);

const component = z.object({
  id,
  name: text,
  status: text,
  group_id: optionalText.catch(null),
  group: z
    .boolean()
    .nullish()
    .transform((value) => value === true),
});

const update = z.object({ id, status: text, body: optionalText, created_at: text, display_at: optionalText });

const incident = z.object({
  id,
  name: text,
  status: text,
  impact: optionalText,
  created_at: text,
  updated_at: optionalText,
  started_at: optionalText,
  resolved_at: optionalText,
  scheduled_for: optionalText,
  scheduled_until: optionalText,
  shortlink: optionalText,
  incident_updates: listOf(update, 500),
  components: listOf(z.object({ id, name: text }), 1_000),
});

const page = z.object({ name: text.max(1_000), url: optionalText });

const summary = z.object({
  page,
  components: listOf(component, 5_000),
  incidents: listOf(incident, 1_000),
  scheduled_maintenances: listOf(incident, 1_000),
});

export type StatuspageComponent = z.output<typeof component>;
export type StatuspageIncident = z.output<typeof incident>;
export type StatuspageSummary = z.output<typeof summary>;

export function readSummary(body: Uint8Array): StatuspageSummary {
  const result = summary.safeParse(jsonIn(body));
  if (result.success) return result.data;
  throw new DocumentError(
    'not a status page',
    'summary.json is not a document of Statuspage v2. Name the address of a status page, such as https://status.acme.example',
  );
}

export function readIncidents(body: Uint8Array, key: 'incidents' | 'scheduled_maintenances'): readonly StatuspageIncident[] | null {
  const result = z.object({ [key]: z.array(z.unknown()) }).safeParse(jsonIn(body));
  return result.success ? listOf(incident, 1_000).parse(result.data[key]) : null;
}

/** A list without the items that are not valid or have the id of an earlier one, and without those after the first `most`. */
function listOf<Item extends z.ZodType<{ readonly id: string }>>(item: Item, most: number) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((items): readonly z.output<Item>[] => {
      const known = new Map<string, z.output<Item>>();
      for (const value of (items ?? []).slice(0, most)) {
        const { data } = item.safeParse(value);
        if (data !== undefined && !known.has(data.id)) known.set(data.id, data);
      }
      return [...known.values()];
    });
}
