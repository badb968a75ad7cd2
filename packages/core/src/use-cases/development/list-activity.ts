import { InvalidInputError } from '../../kinds/domain-error.js';
import { DAY, EARLIEST_INSTANT, startOfDay, type Instant } from '../../kinds/instant.js';
import type { SyncedKind } from '../../kinds/sync.js';
import type { ActivityDay } from '../../ports/readers.js';
import { alsoChangingAt, latestVisible, type Answer, type UseCaseContext } from '../shared/answer.js';
import type { Parts } from '../shared/parts.js';
import { onlyNamed, scopeOfList, type ScopedListInput } from '../shared/records.js';
import { range, repository, withPermission } from '../shared/arguments.js';

/** The most days that one request may span. */
export const MAX_ACTIVITY_DAYS = 366;
/** How many days are listed if the request does not name the first one. */
const DEFAULT_DAYS = 365;

/** The repository to stay in, and any moment of the first and the last UTC day. Default: 365 days up to the present one. */
export type ListActivityInput = Pick<ScopedListInput, 'repository' | 'from' | 'to'>;

const KINDS = ['commit', 'release'] as const satisfies readonly SyncedKind[];

/** How many commits and releases the approved repositories have on each UTC day, oldest first, every day listed. */
export class ListActivity {
  readonly takes = withPermission<ListActivityInput>({ ...range, repository });

  constructor(private readonly parts: Parts<'freshness' | 'clock', 'activity'>) {}

  /** No day is after the present one. @throws InvalidInputError for a span of more than {@link MAX_ACTIVITY_DAYS} */
  async execute(given: Partial<ListActivityInput>, context: UseCaseContext): Promise<Answer<readonly ActivityDay[]>> {
    const input = { repository: null, from: null, to: null, ...given };
    const { freshness, clock } = this.parts;
    const now = clock.now();
    const days = daysOf(input, startOfDay(now));
    const [counted, syncs] = await Promise.all([this.#read(input, days, latestVisible(now), context), freshness.syncs(context)]);
    const answer = { kinds: KINDS, shown: shownIn(counted), scope: scopeOfList(input, context) };
    return { data: counted, ...alsoChangingAt(freshness.judge(answer, syncs), [nextDayOf(input, startOfDay(now))]) };
  }

  async #read({ repository }: ListActivityInput, days: readonly Instant[], latest: Instant, context: UseCaseContext) {
    const approved = onlyNamed(context.approved, repository);
    const [first, last] = [days[0], days.at(-1)];
    if (approved === null || first === undefined || last === undefined) return [];
    const found = await this.parts.readers.activity.days(approved, { from: first, to: Math.min(last + DAY - 1, latest) }, context);
    const byDay = new Map(found.map((counted) => [counted.day, counted]));
    return days.map((day) => byDay.get(day) ?? { day, commits: 0, releases: 0 });
  }
}

function daysOf({ from, to }: ListActivityInput, today: Instant): readonly Instant[] {
  const last = startOfDay(Math.min(to ?? today, today));
  const first = from === null ? Math.max(last - (DEFAULT_DAYS - 1) * DAY, EARLIEST_INSTANT) : startOfDay(from);
  if (last - first >= MAX_ACTIVITY_DAYS * DAY)
    throw new InvalidInputError('from', `must be less than ${String(MAX_ACTIVITY_DAYS)} days before to, or before today without it`);
  return Array.from({ length: Math.max(0, (last - first) / DAY + 1) }, (_, index) => first + index * DAY);
}

/** When a day is added by time alone; `null` for a span that has ended. */
function nextDayOf({ to }: ListActivityInput, today: Instant): Instant | null {
  return to === null || to >= today + DAY ? today + DAY : null;
}

/** Commits are always in the answer; releases only if there are any, because many projects have none. */
function shownIn(days: readonly ActivityDay[]): readonly SyncedKind[] {
  return days.some(({ releases }) => releases > 0) ? KINDS : ['commit'];
}
