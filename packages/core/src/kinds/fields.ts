/** The names of the fields of a record whose values have such a type. */
type FieldOf<Kept, Value> = { readonly [Name in keyof Kept]-?: [Kept[Name]] extends [Value] ? Name : never }[keyof Kept];

/** What is specific to one kind of listed records. Everything that the kinds have in common is written once and reads these facts. */
export interface KindFacts<Kept> {
  /** The name of the kind's list, of its reader in `StoreReaders`, and of its collection on MongoDB. */
  readonly plural: string;
  /** How often a record belongs to a repository. A record of `sometimes` without one has the ref `-`. */
  readonly ownership: 'always' | 'sometimes' | 'never';
  /** The port that reads the kind: `record` (`RecordReader`), `list` (only its list), or `own` (a separate port in `ports/`). */
  readonly reader: 'record' | 'list' | 'own';
  /** The filters of the kind's list, by their names in its query. Each takes a text, or `null` for any. */
  readonly filters: readonly string[];
  /** Fields whose URL must be under the public address of the record's repository. */
  readonly ownUrls: readonly (FieldOf<Kept, string | null> & string)[];
  /** Times that never change once stored. */
  readonly fixedTimes: readonly (FieldOf<Kept, number> & string)[];
  /** Times that a collector fills in when its source does not know them. */
  readonly filledTimes: readonly (FieldOf<Kept, number> & string)[];
}
