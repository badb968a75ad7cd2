import { duration, INTERVALS, object, path, sourceLabel, unscoped } from '@vitrine/config/internal';

export const incidentsSchema = object('an object with incidents', {
  incidents: path,
  label: sourceLabel.default('incidents'),
  interval: duration(...INTERVALS).prefault('10s'),
}).transform(({ incidents: folder, label: given, interval: intervalMs }) =>
  unscoped(({ located }) => ({ kind: 'incidents', path: located(folder), label: given, intervalMs })),
);
