/** Identity of a repository in every stored record: lower-case `owner/name`, and `#<forge id>` where the allowlist entry has one. */
export type RepositoryRef = `${string}/${string}`;

/** A record that belongs to no repository stores this instead of a {@link RepositoryRef}. */
export const NO_REPOSITORY = '-';

/** The scope of a record: its repository, or none. */
export type ScopeRef = RepositoryRef | typeof NO_REPOSITORY;

export interface RepositoryName {
  /** `owner/name` as its owner writes it. */
  readonly fullName: string;
  readonly owner: string;
  readonly name: string;
}

const PART = /^[A-Za-z0-9._-]{1,100}$/;
const FORGE_ID = /^[A-Za-z0-9_.:=-]{1,64}$/;
/** Both parts and the forge id in one expression, for speed: it is applied to every record that is read. */
const REF = /^(?!\.{1,2}\/)[a-z0-9._-]{1,100}\/(?!\.{1,2}(?:#|$))[a-z0-9._-]{1,100}(?:#[A-Za-z0-9_.:=-]{1,64})?$/;

function isPart(text: string | undefined): text is string {
  return text !== undefined && PART.test(text) && text !== '.' && text !== '..';
}

/** `owner/name`: ASCII, two parts of 1 to 100 of `A-Z a-z 0-9 . _ -`, neither `.` nor `..`; `null` otherwise. */
export function parseRepositoryName(text: string): RepositoryName | null {
  const [owner, name, ...rest] = text.split('/');
  return rest.length === 0 && isPart(owner) && isPart(name) ? { fullName: text, owner, name } : null;
}

/** ASCII only, because Unicode rules turn the Kelvin sign into `k`. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

export function isForgeId(text: string): boolean {
  return FORGE_ID.test(text);
}

/** Creates the ref of an allowlist entry. */
export function repositoryRefOf(name: RepositoryName, forgeId: string | null): RepositoryRef {
  const ref: RepositoryRef = `${asciiLowerCase(name.owner)}/${asciiLowerCase(name.name)}`;
  return forgeId === null ? ref : `${ref}#${forgeId}`;
}

/** Whether stored text is a well-formed ref, exactly as {@link repositoryRefOf} creates it. */
export function isRepositoryRef(text: unknown): text is RepositoryRef {
  return typeof text === 'string' && REF.test(text);
}

/** Lower-case `owner/name` of a ref; `-` of {@link NO_REPOSITORY}. */
export function nameOfRef(ref: ScopeRef): string {
  const hash = ref.indexOf('#');
  return hash < 0 ? ref : ref.slice(0, hash);
}
