import { PassThrough } from 'node:stream';
import { GitError } from './git-error.js';
import type { Git } from './git.js';

const LINE_BREAK = 0x0a;
/** The id, the type and the size. */
const HEADER = /^[0-9a-f]+ blob (\d+)$/;
const LONGEST_HEADER = 1_024;

/** Reads files by their ids, one after the other, from one git process. It starts with the first file. */
export class BlobReader {
  readonly #ids = new PassThrough();
  readonly #output: AsyncGenerator<Buffer, void, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(git: Git) {
    this.#output = git.stream(['cat-file', '--batch'], this.#ids);
  }

  /** Rejects with a {@link GitError} if the repository does not have the file. */
  async read(sha: string): Promise<Buffer> {
    this.#ids.write(`${sha}\n`);
    const size = HEADER.exec(await this.#header())?.[1];
    if (size === undefined) throw new GitError(`the file ${sha} cannot be read`);
    // A line break follows the content.
    while (this.#rest.length <= Number(size)) await this.#more();
    const content = this.#rest.subarray(0, Number(size));
    this.#rest = this.#rest.subarray(Number(size) + 1);
    return content;
  }

  async close(): Promise<void> {
    this.#ids.end();
    await this.#output.return(undefined);
  }

  async #header(): Promise<string> {
    let end = this.#rest.indexOf(LINE_BREAK);
    while (end < 0 && this.#rest.length < LONGEST_HEADER) {
      await this.#more();
      end = this.#rest.indexOf(LINE_BREAK);
    }
    const header = this.#rest.subarray(0, Math.max(0, end)).toString('latin1');
    this.#rest = this.#rest.subarray(end + 1);
    return header;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#output.next();
    if (done === true) throw new GitError('git cat-file ended before it had printed the whole file');
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }
}
