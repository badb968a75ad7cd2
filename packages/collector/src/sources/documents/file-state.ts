import { imageFormatOf, quotable, type Instant } from '@vitrine/core';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';
import { firstOf, type SourceContext } from '../../running/source.js';

/** The version that was read last, the ids of its records with the times when they were seen first, and when the same version has to be read again. */
const knownFile = z.object({
  version: z.string(),
  ids: z.record(z.string(), z.number()),
  dueAt: z.number().exactOptional(),
  /** The files that its text links to, with whether each was hidden. */
  links: z.record(z.string(), z.boolean()).exactOptional(),
  /** The images that its text names, by path with their versions, and the ids of those that are stored with their cost. */
  images: z.object({ versions: z.record(z.string(), z.string()), ids: z.array(z.string()), cost: z.number() }).exactOptional(),
});
export type KnownFile = z.output<typeof knownFile>;

/** By name. A plain object would have names that no file has, such as `constructor`. */
type KnownFiles = ReadonlyMap<string, KnownFile>;

const schema = z.object({
  /** A hash of everything that the records depend on, apart from the files. */
  settings: z.string(),
  files: z.record(z.string(), knownFile).transform((files): KnownFiles => new Map(Object.entries(files))),
});

export type FileState = z.output<typeof schema>;

/** An invalid state counts as empty: every file is read again, which changes no record that is stored. */
export function parseFileState(text: string | null | undefined): FileState {
  return parseState(schema, text) ?? { settings: '', files: new Map() };
}

export function writeFileState({ settings, files }: FileState): string {
  return JSON.stringify({ settings, files: Object.fromEntries(files) });
}

export function keysOf(files: KnownFiles): ReadonlySet<string> {
  return new Set([...files.values()].flatMap(({ ids, images }) => [...Object.keys(ids), ...(images?.ids ?? [])]));
}

function hiddenIn({ files }: FileState): ReadonlySet<string> {
  return new Set([...files].flatMap(([name, { ids }]) => (Object.keys(ids).length === 0 ? [name] : [])));
}

export function hasSameHidden(before: FileState, after: FileState): boolean {
  return isDeepStrictEqual(hiddenIn(before), hiddenIn(after));
}

/** The names of the listed files to which links of others may lead: those that had records, and new ones. */
export function shownIn(listed: readonly { readonly name: string }[], before: FileState): ReadonlySet<string> {
  const hidden = hiddenIn(before);
  return new Set(listed.flatMap(({ name }) => (hidden.has(name) ? [] : [name])));
}

export function saysTheSame({ dueAt = Infinity, links = {} }: KnownFile, now: Instant, shown: ReadonlySet<string>): boolean {
  return now < dueAt && Object.entries(links).every(([name, wasHidden]) => shown.has(name) !== wasHidden);
}

export interface ImageFile {
  readonly version: string;
  readonly bytes: number;
  readonly read: () => Promise<Uint8Array>;
}

/** Finds an image file; `null`: there is none that may be published. @param path below the folder of the source, with slashes */
export type FindImage = (path: string, context: SourceContext) => Promise<ImageFile | null>;

export interface Picture {
  readonly content: Uint8Array;
  readonly ending: string;
}

/** Of a source: 64 MiB, and 1,024 images, because a smaller one counts as much as one of 64 KiB. */
export const MOST_COST = 64 * 1_024 * 1_024;
const LEAST_COST = 64 * 1_024;

function costOf({ bytes }: ImageFile): number {
  return Math.max(LEAST_COST, bytes);
}

/** Of one text. */
const MOST_IMAGES = 50;
const MAX_IMAGE_BYTES = 1_024 * 1_024;
const MOST_NAMED = 5;

/** Reads the images that a text names. Which files are images is decided by their content. @param left what they may cost */
export async function readImages(name: string, paths: readonly string[], find: FindImage, left: number, context: SourceContext) {
  const found = new Map<string, Picture>();
  /** For each path that the text names; empty if there is no such file. */
  const versions: Record<string, string> = {};
  const problems: string[] = [];
  let cost = 0;
  for (const path of paths.slice(0, MOST_IMAGES)) {
    const image = await find(path, context);
    const { version, picture, problem } = await readImage(image, left - cost);
    versions[path] = version;
    if (problem !== undefined) problems.push(`${quotable(path)} ${problem}`);
    if (picture === undefined || image === null) continue;
    found.set(path, picture);
    cost += costOf(image);
  }
  if (paths.length > MOST_IMAGES) problems.push(`the text names more than ${String(MOST_IMAGES)}`);
  const warnings = problems.length === 0 ? [] : [`${name}: images that are not shown: ${firstOf(problems, MOST_NAMED).join('; ')}`];
  return { found, cost, versions, warnings };
}

/** Whether the images that a text names are as they were. @param find `undefined`: the text has none @param left what its images may cost */
export async function hasSameImages(find: FindImage | undefined, { images }: KnownFile, left: number, context: SourceContext): Promise<boolean> {
  if (find === undefined || images === undefined) return true;
  if (images.cost > left) return false;
  for (const [path, version] of Object.entries(images.versions)) if (((await find(path, context))?.version ?? '') !== version) return false;
  return true;
}

async function readImage(image: ImageFile | null, room: number): Promise<{ version: string; picture?: Picture; problem?: string }> {
  if (image === null) return { version: '' };
  // What is too much has no version, so it is looked at again at each run: others may need less by then.
  if (costOf(image) > room) return { version: '', problem: 'is more than a source may store' };
  const { version, bytes } = image;
  const content = bytes > MAX_IMAGE_BYTES ? null : await image.read();
  if (content === null || content.length > MAX_IMAGE_BYTES) return { version, problem: 'is larger than 1 MiB' };
  const format = imageFormatOf(content);
  if (format === null) return { version, problem: 'is neither PNG, JPEG, WebP nor GIF' };
  return { version, picture: { content, ending: format.ending } };
}

/** A file that is read again, with the records of both versions. */
export function withRecordsOf({ ids, images }: KnownFile, before: KnownFile | undefined): KnownFile {
  const stored = [...(before?.images?.ids ?? []), ...(images?.ids ?? [])];
  return { version: '', ids: { ...before?.ids, ...ids }, ...(stored.length > 0 && { images: { versions: {}, ids: stored, cost: 0 } }) };
}
