import {
  boundSources,
  ConfiguredSources,
  describeRun,
  NOTHING_STORED,
  Scheduler,
  type RunNotes,
  type Source,
  type SourcesOptions,
} from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { CONFIGURATION } from '@vitrine/core';
import { chosenOf } from './chosen-sources.js';
import type { StoreContext } from './command-context.js';
import { messageOf } from './message-of.js';
import type { OpenedStore } from './opened-store.js';
import type { Approval } from './with-approval.js';

export interface ListOwnersOptions {
  readonly config: Config;
  /** The names of the sources that run; all if there are none. */
  readonly names: readonly string[];
  readonly options: SourcesOptions;
  readonly approval: Approval;
  readonly notes: RunNotes | null;
}

/** What is left to collect when the lists of owners are up to date. */
export interface OwnersListed {
  /** The sources that are left, whether they are chosen or not. */
  readonly sources: readonly Source[];
  /** Whether an id is that of a list. */
  readonly isList: (id: string) => boolean;
  /** Whether each chosen list was read, and each source has its repository. */
  readonly isFine: boolean;
}

/** Reads those of the lists of owners that are chosen, before everything else, because they decide which other sources there are. */
export async function listOwners(
  { config, names, options, approval: { stored }, notes }: ListOwnersOptions,
  store: OpenedStore,
  context: StoreContext,
): Promise<OwnersListed> {
  const made = new ConfiguredSources(config, options);
  const lists = made.of(config).filter(({ registration }) => registration?.sourceType === CONFIGURATION);
  const areRead = await runLists(chosenOf(names, lists), { config, notes }, store, context);
  // The first call may join a read that began before the lists were stored.
  await stored.poll();
  await stored.poll();
  const now = stored.current() ?? NOTHING_STORED;
  const { skipped } = boundSources(config, now);
  for (const warning of skipped) context.warn(warning);
  return {
    sources: made.of(config, now).filter((source) => !lists.includes(source)),
    isList: (id) => lists.some(({ registration }) => registration?.id === id),
    isFine: areRead && skipped.length === 0,
  };
}

type Run = Pick<ListOwnersOptions, 'config' | 'notes'>;

async function runLists(
  lists: readonly Source[],
  { config, notes }: Run,
  store: OpenedStore,
  { clock, print, warn }: StoreContext,
): Promise<boolean> {
  if (lists.length === 0) return true;
  const { writer, collection, signal } = store;
  const scheduler = new Scheduler({
    writer,
    collection,
    clock,
    configuration: config.file,
    notes,
    // These are a part of the sources, and the others have not left the configuration.
    isForeign: () => true,
    onError: (source, error) => {
      warn(`${source.id}: ${messageOf(error)}`);
    },
    onReport: (source, report) => {
      for (const warning of report.warnings) warn(warning);
      for (const notice of report.notices ?? []) print(`${source.id}: ${notice}`);
      print(`${source.id}: ${describeRun(report)}`);
    },
  });
  signal.addEventListener('abort', () => void scheduler.stop(), { once: true });
  const outcomes = await scheduler.runOnce(lists);
  return outcomes.every(({ report }) => report?.warnings.length === 0);
}
