/** What a run of git may use at most. A server that is not trusted decides how much git receives, writes and keeps in memory. */
export interface GitLimits {
  /** The time of the whole run, in milliseconds. */
  readonly totalMs?: number;
  /** The memory of each process of git, and twice what it may allocate at once. On macOS, only the second is enforced. */
  readonly memoryBytes?: number;
  /** Each file that git writes. */
  readonly fileBytes?: number;
  /** What git prints on its standard output. */
  readonly outputBytes?: number;
}

const [MEBIBYTE, KIBIBYTE] = [1_048_576, 1_024];
/** POSIX counts the limit of a file in blocks of 512 bytes. */
const BLOCK = 512;
/** Without this, a process that writes too large a file would be killed, and could not say why. */
const IGNORE_SIGXFSZ = "trap '' 25";

/** The command that runs git within its limits. The operating system enforces those of memory and of files, and a shell is the only way to set them. */
export function limitedCommand(args: readonly string[], { memoryBytes, fileBytes }: GitLimits) {
  const settings = [
    ...(memoryBytes === undefined ? [] : [`ulimit -d ${String(Math.ceil(memoryBytes / KIBIBYTE))} 2>/dev/null`]),
    ...(fileBytes === undefined ? [] : [IGNORE_SIGXFSZ, `ulimit -f ${String(Math.ceil(fileBytes / BLOCK))} 2>/dev/null`]),
  ];
  if (settings.length === 0) return { command: 'git', args: [...args], environment: {} };
  return {
    command: 'sh',
    args: ['-c', [...settings, 'exec git "$@"'].join('; '), 'git', ...args],
    // What git checks itself, on every system.
    environment: memoryBytes === undefined ? {} : { GIT_ALLOC_LIMIT: String(memoryBytes / 2) },
  };
}

/** What to do if git has failed because of a limit; `''` otherwise. */
export function hintOf(words: string, { memoryBytes, fileBytes }: GitLimits): string {
  if (fileBytes !== undefined && words.includes('File too large'))
    return ` (the remote sends more than ${mebibytes(fileBytes)}; to show so large a repository, clone it yourself and give the folder)`;
  if (memoryBytes !== undefined && /Out of memory|over limit/.test(words))
    return ` (git would need more than ${mebibytes(memoryBytes)} of memory for what the remote sends)`;
  return '';
}

export function seconds(ms: number): string {
  return `${String(ms / 1_000)} s`;
}

export function mebibytes(bytes: number): string {
  return `${String(bytes / MEBIBYTE)} MiB`;
}
