import { duration, label, labelOfAddress, list, object, orNull, publicAddress, sourceLabel, unscoped, yesOrNo } from '@vitrine/config/internal';

const MOST_COMPONENTS = 1_000;

export const statuspageSchema = object('an object with statuspage', {
  statuspage: publicAddress,
  services: orNull(list('a list of component names or ids such as [api, actions], or remove the key', label, MOST_COMPONENTS, 1)),
  label: sourceLabel.exactOptional(),
  url: orNull(publicAddress),
  allowPrivate: yesOrNo.default(false),
  interval: duration('60s', '8h').prefault('1m'),
}).transform(({ statuspage: address, label: given = labelOfAddress(address), url: publicUrl, interval: intervalMs, ...keys }) =>
  unscoped(() => ({ kind: 'statuspage', address, label: given, publicUrl, intervalMs, ...keys })),
);
