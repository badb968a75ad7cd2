import { PathError } from '../../files/file-access.js';
import { hash } from 'node:crypto';
import { grouped, IMAGE_NAME, type Article, type Image, type Instant, type Sync } from '@vitrine/core';
import { RegisteredSource } from '../../running/registered-source.js';
import { type Registration, type RunReport, type SourceContext, DocumentError } from '../../running/source.js';
import {
  hasSameHidden,
  hasSameImages,
  keysOf,
  parseFileState,
  readImages,
  saysTheSame,
  shownIn,
  MOST_COST,
  withRecordsOf,
  writeFileState,
} from './file-state.js';
import type { FileState, FindImage, KnownFile, Picture } from './file-state.js';
import { putInBatches, refusalLines } from '../../running/record-batches.js';

export interface FileLook {
  /** Changes whenever the content may have changed. */
  readonly version: string;
  readonly modifiedAt: Instant;
}

/** A text of a source: a file on disk or in a git repository, or the notes of a release. */
export interface SourceFile {
  /** Its stable name within the source. */
  readonly name: string;
  /** `null`: it was removed after the files were listed. */
  readonly look: (context: SourceContext) => Promise<FileLook | null>;
  /** Rejects with a `PathError` if the file cannot be read; the records that it had before stay then. */
  readonly read: (context: SourceContext) => Promise<string>;
  /** Pure. Throws a `DocumentError` if the file cannot be used; the records stay then, too. */
  readonly parse: (file: FileText) => ParsedFile;
  /** Default: texts of the source have no images. */
  readonly images?: ImagesBeside;
}

export interface ImagesBeside {
  readonly namedIn: (file: Pick<FileText, 'name' | 'text'>) => readonly string[];
  readonly find: FindImage;
}

/** The text of a file, for parsers, with what its records cannot know. */
export interface FileText {
  readonly name: string;
  readonly text: string;
  readonly now: Instant;
  /** When the record with this id was seen first. For records whose file does not say when they were published. */
  readonly firstSeen: (id: string) => Instant;
  readonly images?: ReadonlyMap<string, Picture>;
  /** Whether another file has no record now: a draft, or one that does not exist. Default: none is hidden. */
  readonly isHidden?: (name: string) => boolean;
}

export interface FoundFiles {
  readonly files: readonly SourceFile[];
  readonly warnings: readonly string[];
}

export interface ParsedFile {
  readonly articles: readonly Article[];
  readonly images?: readonly Image[];
  readonly warnings: readonly string[];
  /** The time at which the same file gives other records, because a part of it is published then. Default: never. */
  readonly dueAt?: Instant;
}

export interface FilesSourceOptions extends Pick<Registration, 'label' | 'repositoryRef'> {
  readonly type: 'article' | 'changelog';
  readonly intervalMs: number;
  /** The files of the source, and everything else that the records depend on. Rejects if they cannot be listed; nothing is changed then. */
  readonly find: (context: SourceContext) => Promise<FoundFiles & { readonly settings: unknown }>;
}

/** A reading of all files, and what it has found so far. */
interface FilesRun {
  readonly context: SourceContext;
  readonly at: Instant;
  readonly sync: Sync | null;
  readonly before: FileState;
  readonly settings: string;
  readonly shown: ReadonlySet<string>;
  readonly files: Map<string, KnownFile>;
  /** By the names of the files; `''` is the source itself. */
  readonly warnings: Map<string, readonly string[]>;
  /** Records that are not stored yet, with the names of their files. */
  records: { readonly file: string; readonly record: Article | Image }[];
  size: number;
  /** What all images cost, also those that stay as they are. */
  cost: number;
  stored: number;
  unchanged: number;
}

/** More images are not held in memory before they are stored. */
const MOST_HELD = 16 * 1_024 * 1_024;

const NOTHING: RunReport = { stored: 0, unchanged: 0, removed: 0, warnings: [] };

/** A source that reads articles from files if they have changed, with their images, and removes the articles of files that are gone. */
export class FilesSource extends RegisteredSource {
  readonly #find: FilesSourceOptions['find'];
  /** Those about each file from when it was read last. */
  #warnings: FilesRun['warnings'] = new Map();

  constructor({ type, label, repositoryRef, intervalMs, find }: FilesSourceOptions) {
    super(`${type} ${label}`, intervalMs, { id: `${type}:${label}`, sourceType: type, label, repositoryRef, feeds: ['article'] });
    this.#find = find;
  }

  /** @param first the report of a first time that has found other hidden files than before */
  async run(context: SourceContext, first = NOTHING): Promise<RunReport> {
    const at = context.clock.now();
    const sync = await this.syncIn(context);
    const before = parseFileState(sync?.state);
    const listed = await this.#find(context);
    const settings = hash('sha256', JSON.stringify(listed.settings), 'base64url');
    const [files, warnings] = [new Map<string, KnownFile>(), new Map([['', listed.warnings]])];
    const counts = { size: 0, cost: 0, stored: first.stored, unchanged: first.unchanged };
    const run: FilesRun = { context, at, sync, before, settings, shown: shownIn(listed.files, before), files, warnings, records: [], ...counts };
    for (const file of listed.files) {
      await this.#readOrKeep(file, listed.files.length === 1, run);
      if (run.size > MOST_HELD) await this.#store(run);
    }
    await this.#store(run);
    const after = { settings, files };
    const removed = await this.#removeGone(before, after, context);
    await this.complete(sync, { at, state: writeFileState(after) }, context);
    this.#warnings = warnings;
    const whole = { stored: run.stored, unchanged: run.unchanged, removed: first.removed + removed, warnings: [...warnings.values()].flat() };
    return first !== NOTHING || hasSameHidden(before, after) ? whole : this.run(context, whole);
  }

  async #readOrKeep(file: SourceFile, isOnly: boolean, run: FilesRun): Promise<void> {
    const known = run.before.files.get(file.name);
    try {
      await this.#readFile(file, known, run);
    } catch (error) {
      if (isOnly || !(error instanceof PathError || error instanceof DocumentError)) throw error;
      // Without a version, the next run reads the file again.
      keep(run, file.name, { ids: {}, ...known, version: '' }, [error.message]);
    }
  }

  async #readFile(file: SourceFile, known: KnownFile | undefined, run: FilesRun): Promise<void> {
    const { before, settings, shown, context } = run;
    const look = await file.look(context);
    if (look === null) return;
    const now = context.clock.now();
    const left = MOST_COST - run.cost;
    const isSame = before.settings === settings && known?.version === look.version && saysTheSame(known, now, shown);
    if (isSame && (await hasSameImages(file.images?.find, known, left, context))) keep(run, file.name, known, this.#warnings.get(file.name));
    else {
      const firstSeen = (id: string): Instant => known?.ids[id] ?? Math.min(now, Math.max(0, Math.floor(look.modifiedAt)));
      await parse(file, look.version, { now, firstSeen }, run);
    }
  }

  /** Stores the records, and adds to the warnings about each file what the store has refused of it. */
  async #store(run: FilesRun): Promise<void> {
    await this.#rememberNew(run);
    const { records, warnings } = run;
    const written = records.map(({ record }) => record);
    const { refusedRecords, stored, unchanged } = await putInBatches(written, run.at, run.context);
    for (const [name, own] of grouped(refusedRecords, ({ index }) => records[index]?.file ?? ''))
      warnings.set(name, [...(warnings.get(name) ?? []), ...refusalLines(own).map((line) => `${name}: ${line}`)]);
    run.stored += stored;
    run.unchanged += unchanged;
    [run.records, run.size] = [[], 0];
  }

  /** Remembers new records before they are written: if the process is killed in between and the file is deleted, the next run still removes them. */
  async #rememberNew({ files, before, sync, context }: FilesRun): Promise<void> {
    const known = keysOf(before.files);
    if ([...keysOf(files)].every((key) => known.has(key))) return;
    const both = new Map(before.files);
    for (const [name, file] of files) both.set(name, withRecordsOf(file, before.files.get(name)));
    await this.remember(sync, writeFileState({ settings: before.settings, files: both }), context);
  }

  async #removeGone(before: FileState, after: FileState, context: SourceContext): Promise<number> {
    const present = keysOf(after.files);
    const { repositoryRef } = this.registration;
    const gone = [...keysOf(before.files)].filter((id) => !present.has(id));
    const identities = gone.map((id) => ({ kind: IMAGE_NAME.test(id) ? ('image' as const) : ('article' as const), repositoryRef, id }));
    return gone.length === 0 ? 0 : context.writer.remove(identities, context);
  }
}

function keep(run: FilesRun, name: string, file: KnownFile, warnings: readonly string[] = []): void {
  run.warnings.set(name, warnings);
  run.files.set(name, file);
  run.cost += file.images?.cost ?? 0;
}

/** What git has in place of a file that Git LFS keeps. */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

function requireWhole(name: string, text: string): void {
  // Many programs empty a file before they write it again.
  if (text.trim() === '') throw new DocumentError('not complete', `${name}: is empty; write a text`);
  if (LFS_POINTER.test(text)) throw new DocumentError('not complete', `${name}: is a pointer of Git LFS; keep the text itself in git`);
}

const NO_IMAGES: Awaited<ReturnType<typeof readImages>> = { found: new Map(), cost: 0, versions: {}, warnings: [] };

async function parse(file: SourceFile, version: string, times: Pick<FileText, 'now' | 'firstSeen'>, run: FilesRun): Promise<void> {
  const { name, images } = file;
  const { shown, context } = run;
  const left = MOST_COST - run.cost;
  const text = await file.read(context);
  requireWhole(name, text);
  const read = images === undefined ? NO_IMAGES : await readImages(name, images.namedIn({ name, text }), images.find, left, context);
  const links = new Map<string, boolean>();
  const isHidden = (linked: string): boolean => links.set(linked, !shown.has(linked)).get(linked) === true;
  const { articles, images: pictures = [], warnings, dueAt } = file.parse({ name, text, ...times, images: read.found, isHidden });
  run.records.push(...[...articles, ...pictures].map((record) => ({ file: name, record })));
  run.size += pictures.reduce((size, { data }) => size + data.length, 0);
  const known: KnownFile = {
    version,
    ids: Object.fromEntries(articles.map(({ id }) => [id, times.firstSeen(id)])),
    ...(dueAt !== undefined && { dueAt }),
    links: Object.fromEntries(links),
    ...(Object.keys(read.versions).length > 0 && {
      images: { versions: read.versions, ids: pictures.map(({ id }) => id), cost: pictures.length === 0 ? 0 : read.cost },
    }),
  };
  keep(run, name, known, [...warnings, ...(articles.length > 0 ? read.warnings : [])]);
}
