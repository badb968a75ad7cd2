import { duration, label, labelOfAddress, list, object, publicAddress, sourceLabel, unscoped, yesOrNo } from '@vitrine/config/internal';

const MOST_COMPONENTS = 1_000;

/** Its part of `vitrine.yaml`. */
export const statuspageSchema = object('an object with statuspage', {
  statuspage: publicAddress,
  services: list('a list of component names or ids such as [api, actions], or remove the key', label, MOST_COMPONENTS, 1).exactOptional(),
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  allowPrivate: yesOrNo.default(false),
  interval: duration('60s', '8h').prefault('1m'),
}).transform(
  ({ statuspage: address, services = null, label: given = labelOfAddress(address), url: publicUrl = null, allowPrivate, interval: intervalMs }) =>
    unscoped(() => ({ kind: 'statuspage', address, services, label: given, publicUrl, allowPrivate, intervalMs })),
);
