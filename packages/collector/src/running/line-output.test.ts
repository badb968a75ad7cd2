import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { descriptorWriter, LineOutput, type WriteText } from './line-output.js';

/** A reader that accepts a text when the test says so. */
function reader() {
  const texts: string[] = [];
  let take: ((error?: Error) => void) | null = null;
  const write: WriteText = (text, done) => {
    expect(take).toBeNull();
    take = (error) => {
      take = null;
      if (error === undefined) texts.push(text);
      done(error);
    };
  };
  return { texts, write, take: (error?: Error) => take?.(error), isAsked: () => take !== null };
}

const notice = (dropped: number): string => `dropped ${String(dropped)}\n`;
const aborted = AbortSignal.abort();

describe('LineOutput', () => {
  it('writes lines in order, and waiting lines together', () => {
    const { texts, write, take } = reader();
    const output = new LineOutput(write, { notice });
    for (const line of ['a\n', 'b\n', 'c\n']) output.write(line);
    take();
    take();
    expect(texts).toEqual(['a\n', 'b\nc\n']);
  });

  it('keeps a limited number of lines for a reader that does not read, and reports how many it dropped when it reads again', () => {
    const { texts, write, take } = reader();
    const output = new LineOutput(write, { notice, maxWaiting: 10 });
    for (let line = 0; line < 100; line++) output.write('1234\n');
    take();
    take();
    output.write('next\n');
    take();
    expect(texts).toEqual(['1234\n', '1234\n1234\ndropped 97\n', 'next\n']);
  });

  it('counts the lines that a failed write has lost', () => {
    const { texts, write, take } = reader();
    const output = new LineOutput(write, { notice });
    output.write('a\n');
    output.write('b\n');
    take(new Error('the disk is full'));
    take();
    output.write('c\n');
    take();
    expect(texts).toEqual(['b\ndropped 1\n', 'c\n']);
  });

  it('keeps every line if nothing limits it, and the first error of a write', () => {
    const { texts, write, take } = reader();
    const output = new LineOutput(write, { notice, maxWaiting: Infinity });
    const long = `${'x'.repeat(2_000_000)}\n`;
    for (const line of ['a\n', long, long]) output.write(line);
    take();
    take();
    expect([texts, output.failure]).toEqual([['a\n', long + long], null]);
    const [first, second] = [new Error('the disk is full'), new Error('closed')];
    output.write('b\n');
    output.write('c\n');
    take(first);
    take(second);
    expect(output.failure).toBe(first);
  });

  it('reports every lost line, whatever is written, read and rejected', () => {
    const step = fc.oneof(
      fc.string({ maxLength: 12 }).map((text) => ({ line: `x${text.replaceAll(/\s|d/g, '')}\n` })),
      fc.boolean().map((fails) => ({ fails })),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { texts, write, take, isAsked } = reader();
        const output = new LineOutput(write, { notice, maxWaiting: 30 });
        let written = 0;
        for (const action of steps) {
          if ('line' in action) {
            written++;
            output.write(action.line);
          } else take(action.fails ? new Error('no') : undefined);
        }
        while (isAsked()) take();
        output.write('xlast\n');
        while (isAsked()) take();
        const lines = texts.join('').split('\n').slice(0, -1);
        const dropped = lines.filter((line) => line.startsWith('dropped')).reduce((sum, line) => sum + Number(line.slice(8)), 0);
        expect(lines.filter((line) => line.startsWith('x')).length + dropped).toBe(written + 1);
      }),
    );
  });

  it('is drained when all is written, and soon after the end if nobody reads', async () => {
    const { write, take } = reader();
    const output = new LineOutput(write, { notice });
    await output.drained(aborted);
    output.write('a\n');
    const drained = output.drained(new AbortController().signal);
    take();
    await drained;
    output.write('b\n');
    const startedAt = performance.now();
    await output.drained(aborted);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('the writer of a descriptor', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const written = (descriptor: number, text: string): Promise<unknown> => new Promise((resolve) => descriptorWriter(descriptor)(text, resolve));

  it('writes all of a text', async () => {
    const file = openSync(join(folder, 'log'), 'w');
    expect(await written(file, 'ä'.repeat(200_000))).toBeNull();
    closeSync(file);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('ä'.repeat(200_000));
  });

  it('reports the error of a failed write', async () => {
    const file = openSync('/dev/full', 'w');
    expect(await written(file, 'text')).toMatchObject({ code: 'ENOSPC' });
    closeSync(file);
  });

  it('waits for a reader that reads in small parts', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = spawn('sh', ['-c', `sleep 0.3; wc -c < ${pipe}`]);
    let counted = '';
    reading.stdout.on('data', (data: Buffer) => (counted += data.toString()));
    const file = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    expect(await written(file, 'x'.repeat(300_000))).toBeNull();
    closeSync(file);
    await new Promise((resolve) => reading.on('close', resolve));
    expect(Number(counted)).toBe(300_000);
  });
});
