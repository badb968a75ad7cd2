import type { Instant } from '@vitrine/core';
import type { IncidentFile, WrittenUpdate } from './incident-file.js';

/**
 * What a file says at a time. Planned maintenance begins and ends at its times, so that nobody has to write these updates at night. When the
 * newest update has another state than `scheduled`, only the file counts, because the person who wrote it also writes when the maintenance ends.
 */
export function fileAt(file: IncidentFile, now: Instant): IncidentFile {
  const [first, ...later] = file.updates;
  const newest = later.at(-1) ?? first;
  if (file.window === null || newest.state !== 'scheduled' || newest.createdAt > now) return file;
  const { from, until } = file.window;
  const steps = [
    ['in_progress', from],
    ['completed', until],
  ] as const;
  const due = steps.filter(([, at]) => at <= now);
  const added = due.map(([state, at]): WrittenUpdate => ({ state, createdAt: Math.max(at, newest.createdAt), body: '' }));
  return { ...file, updates: [first, ...later, ...added] };
}
