import {
  asciiLowerCase,
  NO_REPOSITORY,
  parseRepositoryName,
  repositoryRefOf,
  type RepositoryName,
  type RepositoryRef,
  type ScopeRef,
} from '../domain/repositories/repository-name.js';
import { compareText } from '../domain/shared/text-order.js';

/** One repository that may be shown. */
export interface AllowlistEntry extends RepositoryName {
  /** The forge's own id, which survives renames; `null` when the entry does not pin one. */
  readonly forgeId: string | null;
}

let mint: (entries: readonly AllowlistEntry[], revision: string) => ApprovedRepositories;

/** Proof that the allowlist was applied. Only {@link Allowlist} can make one: the constructor is private and `#entries` makes look-alikes a type error. */
export class ApprovedRepositories {
  static {
    mint = (entries, revision) => new ApprovedRepositories(entries, revision, true);
  }

  /** By lower-case name, in the order of those names. */
  readonly #entries: ReadonlyMap<string, AllowlistEntry>;
  readonly #refs: ReadonlyMap<RepositoryRef, AllowlistEntry>;
  readonly #admitsNone: boolean;
  /** Changes whenever the list does. */
  readonly revision: string;

  private constructor(entries: readonly AllowlistEntry[], revision: string, admitsNone: boolean) {
    const named = entries.map((entry) => [asciiLowerCase(entry.fullName), entry] as const);
    this.#entries = new Map(named.sort(([a], [b]) => compareText(a, b)));
    this.#refs = new Map([...this.#entries.values()].map((entry) => [repositoryRefOf(entry, entry.forgeId), entry]));
    this.#admitsNone = admitsNone;
    this.revision = revision;
  }

  /** The approved refs, in the order of their lower-case names. */
  get refs(): readonly RepositoryRef[] {
    return [...this.#refs.keys()];
  }

  /** The approved refs, and `-` where records of no repository are asked for too. */
  get scopes(): readonly ScopeRef[] {
    return this.#admitsNone ? [...this.refs, NO_REPOSITORY] : this.refs;
  }

  /** The approved ref of a repository called by name, in any case; `null` when it is not approved. */
  refOf(fullName: string): RepositoryRef | null {
    const entry = this.#entries.get(asciiLowerCase(fullName));
    return entry === undefined ? null : repositoryRefOf(entry, entry.forgeId);
  }

  /** How the allowlist spells a repository. */
  nameOf(ref: RepositoryRef): RepositoryName | null {
    return this.#refs.get(ref) ?? null;
  }

  admits(scope: ScopeRef): boolean {
    return scope === NO_REPOSITORY ? this.#admitsNone : this.#refs.has(scope);
  }

  /** The same permission for one of its repositories only, without records of no repository; empty when it is not approved. */
  only(ref: RepositoryRef): ApprovedRepositories {
    const entry = this.#refs.get(ref);
    return new ApprovedRepositories(entry === undefined ? [] : [entry], this.revision, false);
  }
}

/** The list of repositories that may be shown. Nothing else can mint {@link ApprovedRepositories}. */
export class Allowlist {
  readonly #approved: ApprovedRepositories;

  /** @param revision changes whenever the entries do; two entries of one name are the caller's mistake, the last one counts */
  constructor(entries: readonly AllowlistEntry[], revision = '1') {
    this.#approved = mint(entries, revision);
  }

  /** For `owner/name` texts without forge ids. Throws a `RangeError` at one that is malformed. */
  static of(...fullNames: readonly string[]): Allowlist {
    return new Allowlist(fullNames.map((fullName) => allowlistEntry(fullName)));
  }

  approved(): ApprovedRepositories {
    return this.#approved;
  }
}

function allowlistEntry(fullName: string): AllowlistEntry {
  const name = parseRepositoryName(fullName);
  if (name === null) throw new RangeError(`"${fullName}" is not owner/name`);
  return { ...name, forgeId: null };
}
