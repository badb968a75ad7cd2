import type { Instant } from './instant.js';
import type { RepositoryRef, ScopeRef } from './repository-name.js';

/**
 * The forms of texts. The form says what a records file may hold, and what is published of a text with an email address: of a `text`, the rest. Of an
 * `author` too, but of a name that is only an address, the part before the `@`. A `required-text` is treated like the name of an author, and is never empty. A `branch` becomes `null`, a `required-branch` `""`. An `id`, a `name` or a `url` cannot be changed, so the record is
 * rejected. `unpublished`: anything, because it is never published as stored.
 */
export const TEXT_FORMS = {
  /** At most 255 characters. */
  short: 'text',
  /** 1 to 255 characters. */
  label: 'required-text',
  /** At most 1,000 characters. */
  line: 'text',
  /** 1 to 1,000 characters. */
  title: 'required-text',
  /** At most 65,536 characters. */
  body: 'text',
  /** A path of a file, at most 4,096 characters. */
  path: 'text',
  /** 1 to 64 of `A-Z a-z 0-9 _ . : -`. */
  word: 'text',
  /** A line with the name of a person. */
  author: 'author',
  branch: 'branch',
  requiredBranch: 'required-branch',
  tag: 'name',
  sha: 'name',
  /** The id of a record. */
  id: 'id',
  /** The id of a part of a record, or of another record. */
  partId: 'name',
  /** The key of a service. */
  key: 'name',
  /** The key of a service that another record names. */
  otherKey: 'name',
  /** `owner/name`, or a part of it. */
  repositoryName: 'name',
  url: 'url',
  hidden: 'unpublished',
  /** A file in base64, which holds no `@`. At most 1.5 million characters. */
  data: 'unpublished',
} as const;
export type TextForm = keyof typeof TEXT_FORMS;
export type EmailRule = (typeof TEXT_FORMS)[TextForm];

type Shape =
  | { readonly type: 'text'; readonly form: TextForm; /** The values of an open set that are known. */ readonly known?: readonly string[] }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  | { readonly type: 'repository'; readonly always: boolean }
  | { readonly type: 'whole'; readonly least: number; readonly most: number }
  | { readonly type: 'seconds' | 'percent' | 'time' | 'flag' }
  | { readonly type: 'list'; /** What a message calls it. */ readonly what: string; readonly item: AnyField; readonly most: number }
  | {
      readonly type: 'object';
      /** What a message calls it. */ readonly what: string;
      readonly fields: AnyFields;
      /** Its name in the API. */ readonly named?: string;
    };

interface Notes {
  /** The meaning, as the API tells it. */
  readonly means: string;
  /** A value as the API shows it. */
  readonly example: unknown;
  /** The name in the API, if it is another. */
  readonly called?: string;
  /** Never changes once stored. */
  readonly fixed?: true;
  /** May be `null`. */
  readonly nullable?: true;
  /** May be absent. */
  readonly optional?: true;
  /** What the API shows of an absent value. Without it, an absent value stays absent. */
  readonly absentAs?: unknown;
  /** What stands for the value if a line of a records file leaves it out: no text, the time of the import, or what the importer derives. */
  readonly leftOut?: 'blank' | 'now' | 'derived';
}

/** What is known of one field, whatever its type. */
export type AnyField = Shape & Notes;
export type AnyFields = Readonly<Record<string, AnyField>>;

/** A field with values of this type. The types of records follow from it; at run time the mark does not exist. */
export type Field<Value> = AnyField & { readonly valueMark?: (value: Value) => Value };

/** The values of a field. */
type ValueOf<Given> = Given extends { readonly valueMark?: (value: infer Value) => unknown } ? Value : never;

type OptionalIn<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly optional: true } ? Name : undefined extends ValueOf<Fields[Name]> ? Name : never;
}[keyof Fields];

/** What has these fields: a record, without its kind, or a part of one. */
export type WithFields<Fields> = Joined<
  { readonly [Name in keyof Fields as Exclude<Name, OptionalIn<Fields>>]: ValueOf<Fields[Name]> } & {
    readonly [Name in keyof Fields as Extract<Name, OptionalIn<Fields>>]?: ValueOf<Fields[Name]>;
  }
>;

/** As one object, which editors and the compiler show with all of its fields. */
type Joined<Parts> = { readonly [Name in keyof Parts]: Parts[Name] };

const MANY = 200;

export function text(form: TextForm, means: string, example: string, known?: readonly string[]): Field<string> {
  return { type: 'text', form, means, example, ...(known !== undefined && { known }) };
}

/** One of a closed set. */
export function choice<const Value extends string>(values: readonly Value[], means: string, example: Value): Field<Value> {
  return { type: 'choice', values, means, example };
}

const repository = { type: 'repository', means: 'The repository.', example: 'acme/widget' } as const;
/** The identity of the repository of a record. It is never sent: the API shows the repository itself. */
export const ownRepository: Field<RepositoryRef> = { ...repository, always: true };
/** The same for a record that may belong to none: `-`. */
export const someRepository: Field<ScopeRef> = { ...repository, always: false };

export function whole(means: string, example: number, least = 0, most: number = Number.MAX_SAFE_INTEGER): Field<number> {
  return { type: 'whole', least, most, means, example };
}

/** A length in seconds. */
export function seconds(means: string, example: number): Field<number> {
  return { type: 'seconds', means, example };
}

export function percent(means: string, example: number): Field<number> {
  return { type: 'percent', means, example };
}

export function time(means: string, example: string): Field<Instant> {
  return { type: 'time', means, example };
}

export function flag(means: string, example: boolean): Field<boolean> {
  return { type: 'flag', means, example };
}

/** @param what what messages call it, as in `a list of tags` */
export function list<Value>(what: string, item: Field<Value>, means: string, most = MANY): Field<readonly Value[]> {
  return { type: 'list', what: `a list of ${what}`, item, most, means, example: [item.example] };
}

/** @param what the fields that messages name, as in `an object with name and url` */
export function part<Fields extends AnyFields>(what: string, fields: Fields, means: string, named?: string): Field<WithFields<Fields>> {
  const example = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.example]));
  return { type: 'object', what: `an object with ${what}`, fields, means, example, ...(named !== undefined && { named }) };
}

export function nullable<Value>(field: Field<Value>, example: unknown = field.example): Field<Value | null> {
  return { ...plain(field), nullable: true, example };
}

/** @param absentAs what the API shows of an absent value, if it shows one */
export function optional<Value>(field: Field<Value>, absentAs?: unknown): Field<Value | undefined> {
  return { ...plain(field), optional: true, ...(absentAs !== undefined && { absentAs }) };
}

/** An optional field that a record never has as `undefined`. */
export function ifKnown<Value>(field: Field<Value>): Field<Value> & { readonly optional: true } {
  return { ...field, optional: true };
}

/** A field that a line of a records file may leave out. */
export function leftOut<Value>(leftOutAs: 'blank' | 'now' | 'derived', field: Field<Value>): Field<Value> {
  return { ...field, leftOut: leftOutAs };
}

/** A time that never changes once stored, such as one by which lists are sorted. */
export function fixed(field: Field<Instant>): Field<Instant> {
  return { ...field, fixed: true };
}

/** A field that has another name in the API. */
export function called<Value>(name: string, field: Field<Value>): Field<Value> {
  return { ...field, called: name };
}

/** Without the mark of its type, which another one replaces. */
function plain(field: AnyField): AnyField {
  return field;
}

/** What the API shows of a record beside its own fields: the views supply it. */
type ComputedField = 'repository' | 'href' | 'latestActivityAt' | 'latestRelease';

type NameOf<Kept> = keyof Kept & string;

/** What is known of the records of any kind. Stores, records files, search and the API follow from it. */
export interface RecordFacts<Kept> {
  /** In the order in which they are stored. */
  readonly fields: AnyFields;
  /** The searched fields. A hit whose title fields contain every word comes first. */
  readonly searched: { readonly [Path in NameOf<Kept> | `${NameOf<Kept>}.${string}` | 'repository.fullName']?: 'title' | 'text' };
  /** What the API shows, in this order. Nothing else of a record is ever sent. */
  readonly sent: readonly (Exclude<NameOf<Kept>, 'kind' | 'repositoryRef'> | ComputedField)[];
}

/** What is specific to one kind of listed records. Everything that the kinds have in common is written once and reads these facts. */
export interface KindFacts<Kept> extends RecordFacts<Kept> {
  /** The name of the kind's list, of its reader in `StoreReaders`, and of its collection on MongoDB. */
  readonly plural: string;
  /** How often a record belongs to a repository. A record of `sometimes` without one has the ref `-`. */
  readonly ownership: 'always' | 'sometimes' | 'never';
  /** The port that reads the kind: `record` (`RecordReader`), `list` (only its list), or `own` (a separate port in `ports/`). */
  readonly reader: 'record' | 'list' | 'own';
  /** The times that sort the list: the first that is known, or else the time of observation. */
  readonly times: readonly NameOf<Kept>[];
  /**
   * The filters of the kind's list, the most selective first: for each name in its query, the field that must have the value. Each takes a value, several, or
   * `null` for any. `author` is a login in any letter case, or an exact name.
   */
  readonly filters: Readonly<Record<string, NameOf<Kept> | `${NameOf<Kept>}.${string}` | 'author'>>;
}

/** The texts at a path of a record, also in lists. */
export function textsAt(value: unknown, names: readonly string[], at = 0): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, names, at));
  const name = names[at];
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  return typeof value === 'object' && value !== null ? textsAt(Reflect.get(value, name), names, at + 1) : [];
}
