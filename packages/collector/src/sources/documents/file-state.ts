import { z } from 'zod';

const schema = z.object({
  /** A hash of everything that the records depend on, apart from the files. */
  settings: z.string(),
  /** By name: the version that was read last, the ids of its records with the times when they were seen first, and when the same version has to be read again. */
  files: z.record(
    z.string(),
    z.object({
      version: z.string(),
      ids: z.record(z.string(), z.number()),
      dueAt: z.number().exactOptional(),
      /** The images that its text names, by path with their versions, and the ids of those that are stored. */
      images: z.object({ versions: z.record(z.string(), z.string()), ids: z.array(z.string()) }).exactOptional(),
    }),
  ),
});

/** What a source of files remembers between its runs. */
export type FileState = z.output<typeof schema>;
export type KnownFile = FileState['files'][string];

/** An invalid state counts as empty: every file is read again, which changes no record that is stored. */
export function parseFileState(text: string | null): FileState {
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return { settings: '', files: {} };
  }
}

/** The keys of all records: the ids of articles and of images. */
export function keysOf(state: FileState): ReadonlySet<string> {
  return new Set(Object.values(state.files).flatMap(({ ids, images }) => [...Object.keys(ids), ...(images?.ids ?? [])]));
}
