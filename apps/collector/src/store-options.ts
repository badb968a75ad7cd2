import type { EmbeddedStoreConfig, MongoStoreConfig } from '@vitrine/config';
import { HOUR, type ClockDoubt } from '@vitrine/core';
import type { CommandContext } from './command-context.js';

/** The options that both kinds of stores have. */
export function storeOptions({ retentionMs }: MongoStoreConfig | EmbeddedStoreConfig, { clock, warn }: CommandContext) {
  const onClockDoubt = ({ reason, by }: ClockDoubt): void => {
    // For a command that runs once a week, the clock is always far ahead of the newest stored time.
    if (reason === 'jump')
      warn(`The clock jumped by ${String(Math.round(by / HOUR))} hours; check it. Until it is believed again, no raw checks are deleted.`);
  };
  return { clock, retentionMs, onClockDoubt };
}
