import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@vitrine/config';
import { PassThrough, Readable } from 'node:stream';
import type { CommandContext } from '../../src/context.js';
import { Progress } from '../../src/progress.js';
import { runProgram } from '../../src/program.js';

/** A folder with a configuration, in which commands are run. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-command-'));
  readonly out: string[] = [];
  readonly err: string[] = [];
  /** The content of standard input. */
  input: readonly Buffer[] = [];
  /** What somebody types on a terminal; `null`: standard input is not a terminal. */
  terminal: Readable | null = null;
  stopping = new AbortController();
  clock = { now: () => Date.UTC(2026, 10, 20, 14) };
  readonly #env: Environment;

  constructor(configuration: string, env: Environment) {
    const path = `${this.folder}:${String(process.env['PATH'])}`;
    this.#env = { VITRINE_CONFIG: this.write('vitrine.yaml', configuration), PATH: path, XDG_CACHE_HOME: this.folder, ...env };
  }

  run(...args: readonly string[]) {
    return runProgram(args, this.context());
  }

  context(): CommandContext {
    return {
      env: this.#env,
      clock: this.clock,
      signal: this.stopping.signal,
      holder: 'this test',
      stdin: () => this.terminal ?? Readable.from(this.input),
      stdout: () => new PassThrough(),
      print: (line) => this.out.push(line),
      log: (line) => this.out.push(line),
      warn: (line) => this.err.push(line),
      progress: new Progress({ write: () => undefined }),
    };
  }

  /** Whether a process that collects with the configuration of this folder takes requests to run sources. */
  takesRequests(): boolean {
    return readdirSync(this.folder, { recursive: true }).some((name) => String(name).endsWith('.sock'));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): string {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }
}
