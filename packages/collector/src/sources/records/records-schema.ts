import { duration, INTERVALS, object, path, unscoped } from '@vitrine/config/internal';

export const recordsSchema = object('an object with records', { records: path, interval: duration(...INTERVALS).prefault('10s') }).transform(
  ({ records: file, interval: intervalMs }) => unscoped(({ located }) => ({ kind: 'records', path: located(file), intervalMs })),
);
