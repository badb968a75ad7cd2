/** The branches and tags of a remote, as `git ls-remote` reports them. */
export interface RemoteRefs {
  /** The branch of HEAD, such as `refs/heads/main`; `null` if HEAD is detached. */
  readonly head: string | null;
  /** The commit of a detached HEAD. */
  readonly detachedHead: string | null;
  /** The object id by ref. */
  readonly refs: ReadonlyMap<string, string>;
  readonly objectFormat: 'sha1' | 'sha256';
}

const SYMREF = /^ref: (refs\/heads\/\S+)\tHEAD$/m;
const REF = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.+)$/;
const SHA256_LENGTH = 64;

/** Parses the output of `git ls-remote --symref`. */
export function parseRemote(text: string): RemoteRefs {
  const named = new Map(text.split('\n').flatMap(refOf));
  const headSha = named.get('HEAD') ?? null;
  const refs = new Map([...named].filter(([name]) => /^refs\/(heads|tags)\//.test(name) && !name.endsWith('^{}')));
  const head = SYMREF.exec(text)?.[1] ?? branchAt(refs, headSha);
  const isLong = [...named.values()].some((sha) => sha.length === SHA256_LENGTH);
  return { head, detachedHead: head === null ? headSha : null, refs, objectFormat: isLong ? 'sha256' : 'sha1' };
}

function refOf(line: string): [name: string, sha: string][] {
  const [, sha, name] = REF.exec(line) ?? [];
  return sha === undefined || name === undefined ? [] : [[name, sha]];
}

/** Whether the clone must be updated, because refs were added, changed or removed. */
export function asksForFetch({ refs, detachedHead }: RemoteRefs, own: ReadonlyMap<string, string>): boolean {
  return detachedHead !== null || refs.size !== own.size || [...refs].some(([name, sha]) => own.get(name) !== sha);
}

/** Old servers do not report the branch of HEAD. This guesses it among the branches at the same commit. */
function branchAt(refs: ReadonlyMap<string, string>, sha: string | null): string | null {
  const likely = ['refs/heads/main', 'refs/heads/master', ...[...refs.keys()].filter((name) => name.startsWith('refs/heads/'))];
  return likely.find((name) => sha !== null && refs.get(name) === sha) ?? null;
}
