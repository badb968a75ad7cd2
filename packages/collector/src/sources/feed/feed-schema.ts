import type { FeedSourceConfig } from '@vitrine/config';
import {
  documentAddress,
  duration,
  INTERVALS,
  labelOfAddress,
  mayBeScoped,
  object,
  orNull,
  publicAddress,
  repositoryName,
  sourceLabel,
  unscoped,
  yesOrNo,
} from '@vitrine/config/internal';
import { z } from 'zod';

const feedKeys = {
  label: sourceLabel.exactOptional(),
  url: orNull(publicAddress),
  official: yesOrNo.default(false),
  allowPrivate: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('15m'),
};

function feedConfig(address: string, keys: z.output<z.ZodObject<typeof feedKeys>>): Omit<FeedSourceConfig, 'kind'> {
  const { label: given = labelOfAddress(address), url: publicUrl, official: isOfficial, allowPrivate, interval: intervalMs } = keys;
  return { address, label: given, publicUrl, isOfficial, allowPrivate, intervalMs };
}

export const feedSchema = object('an object with feed', { feed: documentAddress, ...feedKeys }).transform(({ feed: address, ...keys }) =>
  unscoped(() => ({ kind: 'feed', ...feedConfig(address, keys) })),
);

export const videoSchema = object('an object with video', {
  video: documentAddress,
  repository: repositoryName.exactOptional(),
  ...feedKeys,
}).transform(({ video: address, repository, ...keys }) => mayBeScoped(repository, (ref) => ({ kind: 'video', ...feedConfig(address, keys), ref })));
