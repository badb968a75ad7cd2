import { parseDateTime, type Instant, type IncidentState } from '@vitrine/core';

export interface WrittenUpdate {
  readonly state: IncidentState;
  readonly createdAt: Instant;
  readonly body: string;
}

/** A heading that begins with a date is meant as an update. Other headings are part of the text. */
const MEANT = /^##\s+\d{4}-/;
const HEADING = /^##\s+(\S+)\s+([a-z_]+)$/;

/** The states of an incident that people declare, in their usual order. */
export const DECLARED_STATES = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const satisfies readonly IncidentState[];
/** The states of planned maintenance, in their usual order. */
export const MAINTENANCE_STATES = ['scheduled', 'in_progress', 'verifying', 'completed'] as const satisfies readonly IncidentState[];

/**
 * The updates of a file's body, oldest first. Returns messages if a heading is invalid.
 *
 * @param firstLine the line of the file on which the body begins, for messages
 */
export function readUpdates(
  body: string,
  firstLine: number,
  states: readonly IncidentState[],
): { readonly updates: readonly WrittenUpdate[]; readonly problems: readonly string[] } {
  const sections: { heading: string; line: number; text: string[] }[] = [];
  const problems: string[] = [];
  for (const [index, line] of body.split('\n').entries()) {
    const section = sections.at(-1);
    if (MEANT.test(line)) sections.push({ heading: line.trimEnd(), line: firstLine + index, text: [] });
    else if (section !== undefined) section.text.push(line);
    else if (line.trim() !== '') problems.push(`line ${String(firstLine + index)}: text stands before the first update; write ${FORM} above it`);
  }
  const updates = sections.flatMap(({ heading, line, text }): WrittenUpdate[] => {
    const update = readHeading(heading, states);
    if (typeof update !== 'string') return [{ ...update, body: text.join('\n').trim() }];
    problems.push(`line ${String(line)}: ${update}`);
    return [];
  });
  if (sections.length === 0) problems.push(`has no update; write ${FORM}, and its text below`);
  return { updates, problems: [...problems.slice(0, MOST_PROBLEMS), ...orderProblems(updates)] };
}

const MOST_PROBLEMS = 10;
const FORM = 'a heading such as "## 2026-11-20T13:41:00Z investigating"';

function readHeading(heading: string, states: readonly IncidentState[]): Omit<WrittenUpdate, 'body'> | string {
  const [, time, word] = HEADING.exec(heading) ?? [];
  if (time === undefined) return `the heading of an update needs a date and time with offset, and a state; write ${FORM}`;
  const createdAt = parseDateTime(time);
  if (createdAt === null) return `${JSON.stringify(time)} is not a date and time with offset, or does not exist; write ${FORM}`;
  const state = states.find((known) => known === word);
  if (state !== undefined) return { state, createdAt };
  return `${JSON.stringify(word)} is not a state here; write one of ${states.join(', ')}`;
}

function orderProblems(updates: readonly WrittenUpdate[]): readonly string[] {
  const isSorted = updates.every(({ createdAt }, index) => createdAt >= (updates[index - 1]?.createdAt ?? -Infinity));
  return isSorted ? [] : ['its updates are not in the order of their times; put the oldest first'];
}
