import { type ApprovedRepositories, hasMethod, type RecordWriter, type RepositoryRef, type Rule } from '@vitrine/core';
import type { RunReport, Source } from './source.js';

export const WRITER: Rule = { accepts: (value) => hasMethod(value, 'put'), means: 'the writer of a store' };
export const COLLECTION: Rule = { accepts: (value) => hasMethod(value, 'sync'), means: 'the collection of a store' };

/** A writer that passes each call on. To change some calls, spread it: a new method of the port is then passed on, too. @param around makes every call */
export function wrappedWriter(
  writer: RecordWriter,
  around: <Result>(call: () => Promise<Result>) => Promise<Result> = (call) => call(),
): RecordWriter {
  return {
    put: (records, context) => around(() => writer.put(records, context)),
    remove: (identities, context) => around(() => writer.remove(identities, context)),
    withdraw: (source, context) => around(() => writer.withdraw(source, context)),
    moveCommits: (ref, changes, context) => around(() => writer.moveCommits(ref, changes, context)),
    indexFor: (approved, context) => around(() => writer.indexFor(approved, context)),
  };
}

/**
 * The writer of one source, which vouches for what it puts, and withdraws from what it removes. @param source none: it vouches for nothing
 * @param ended once it aborts, nothing is written: the sync record of an ended source would stay for ever
 */
export function vouchingWriter(source: string | undefined, writer: RecordWriter, ended: AbortSignal): RecordWriter {
  const guarded = wrappedWriter(writer, async (call) => {
    ended.throwIfAborted();
    return call();
  });
  if (source === undefined) return guarded;
  return {
    ...guarded,
    put: (records, context) => guarded.put(records, { ...context, source }),
    remove: (identities, context) => guarded.remove(identities, { ...context, source }),
  };
}

class NoLongerApproved extends Error {}

export function notApproved({ id }: Pick<Source, 'id'>): RunReport {
  const warning = `${id}: its repository is not approved any more, so nothing is collected. Approve the repository, or remove the source.`;
  return { stored: 0, unchanged: 0, removed: 0, warnings: [warning] };
}

export function withRun(source: Source, run: Source['run']): Source {
  const { id, intervalMs, isRemote, registration } = source;
  return { id, intervalMs, isRemote, registration, nextRunAt: source.nextRunAt?.bind(source), run };
}

/** Runs a source only while its repository is approved. If the repository leaves the allowlist during a run, the run stores nothing more. */
export function whileApproved(source: Source, ref: RepositoryRef, approved: () => ApprovedRepositories): Source {
  const check = (): void => {
    if (!approved().admits(ref)) throw new NoLongerApproved();
  };
  const guarded = (writer: RecordWriter): RecordWriter => ({
    ...wrappedWriter(writer),
    put: async (records, context) => {
      check();
      return writer.put(records, context);
    },
  });
  return withRun(source, async (context) => {
    try {
      check();
      return await source.run({ ...context, writer: guarded(context.writer) });
    } catch (error) {
      if (!(error instanceof NoLongerApproved)) throw error;
      // The configuration says so too, but a server follows only the allowlist of a file that has problems elsewhere.
      return notApproved(source);
    }
  });
}
