import { compareText } from '../kinds/page.js';
import { NO_REPOSITORY, asciiLowerCase, parseRepositoryName, repositoryRefOf } from '../kinds/repository-name.js';
import type { RepositoryName, RepositoryRef, ScopeRef } from '../kinds/repository-name.js';

/** One approved repository. */
export interface AllowlistEntry extends RepositoryName {
  /** The id that the forge gives the repository. It stays the same after a rename. `null` if the entry does not pin an id. */
  readonly forgeId: string | null;
}

let mint: (entries: readonly AllowlistEntry[], revision: string) => ApprovedRepositories;

/** Proof that the allowlist was applied. Only {@link Allowlist} can create it: the constructor is private, and `#entries` rejects look-alike types. */
export class ApprovedRepositories {
  static {
    mint = (entries, revision) => new ApprovedRepositories(entries, revision, true);
  }

  /** Keyed and sorted by lower-case name. */
  readonly #entries: ReadonlyMap<string, AllowlistEntry>;
  readonly #refs: ReadonlyMap<RepositoryRef, AllowlistEntry>;
  readonly #admitsNone: boolean;
  /** Changes whenever the allowlist changes. */
  readonly revision: string;

  private constructor(entries: readonly AllowlistEntry[], revision: string, admitsNone: boolean) {
    const named = entries.map((entry) => [asciiLowerCase(entry.fullName), entry] as const);
    this.#entries = new Map(named.sort(([a], [b]) => compareText(a, b)));
    this.#refs = new Map([...this.#entries.values()].map((entry) => [repositoryRefOf(entry, entry.forgeId), entry]));
    this.#admitsNone = admitsNone;
    this.revision = revision;
  }

  /** The approved refs, sorted by lower-case name. */
  get refs(): readonly RepositoryRef[] {
    return [...this.#refs.keys()];
  }

  /** The approved refs, and `-` if records of no repository are included. */
  get scopes(): readonly ScopeRef[] {
    return this.#admitsNone ? [...this.refs, NO_REPOSITORY] : this.refs;
  }

  /** The approved ref for a repository name in any letter case; `null` if the repository is not approved. */
  refOf(fullName: string): RepositoryRef | null {
    const entry = this.#entries.get(asciiLowerCase(fullName));
    return entry === undefined ? null : repositoryRefOf(entry, entry.forgeId);
  }

  /** The repository's name as the allowlist spells it. */
  nameOf(ref: RepositoryRef): RepositoryName | null {
    return this.#refs.get(ref) ?? null;
  }

  admits(scope: ScopeRef): boolean {
    return scope === NO_REPOSITORY ? this.#admitsNone : this.#refs.has(scope);
  }

  /** The permission for one repository only, without records of no repository. It is empty if the repository is not approved. */
  only(ref: RepositoryRef): ApprovedRepositories {
    const entry = this.#refs.get(ref);
    return new ApprovedRepositories(entry === undefined ? [] : [entry], this.revision, false);
  }
}

/** The list of approved repositories. Only this class can create {@link ApprovedRepositories}. */
export class Allowlist {
  readonly #approved: ApprovedRepositories;

  static #count = 0;

  /**
   * If two entries have the same name, the last one counts.
   *
   * @param revision a text that is the same only for the same entries, such as their hash. Answers are kept under it, so one text for two lists would
   * show records that only the first approves. By default every allowlist has a new revision.
   */
  constructor(entries: readonly AllowlistEntry[], revision?: string) {
    this.#approved = mint(entries, revision ?? `#${String(++Allowlist.#count)}`);
  }

  /** Creates an allowlist from `owner/name` texts without forge ids. Throws a `RangeError` if one is malformed. */
  static of(...fullNames: readonly string[]): Allowlist {
    return new Allowlist(fullNames.map((fullName) => allowlistEntry(fullName)));
  }

  approved(): ApprovedRepositories {
    return this.#approved;
  }
}

function allowlistEntry(fullName: string): AllowlistEntry {
  // Plain JavaScript can pass a list.
  if (typeof fullName !== 'string')
    throw new TypeError('Allowlist.of needs texts such as acme/widget. For a list of them, call Allowlist.of(...names).');
  const name = parseRepositoryName(fullName);
  if (name === null) throw new RangeError(`"${fullName}" is not owner/name`);
  return { ...name, forgeId: null };
}
