import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasEnded, type HolderProcess, ownProcess, seenProcess, type SeenProcess } from './lease-table.js';

const observer: HolderProcess = { host: 'a', bootId: 'boot', namespaces: 'pid:[1]', pid: 7, startedAt: 700 };
const gone: SeenProcess = { exists: false, startedAt: null };
const sinceTick = (startedAt: number | null): SeenProcess => ({ exists: true, startedAt });

const CASES: readonly (readonly [name: string, holder: Partial<HolderProcess>, seen: SeenProcess, ended: boolean])[] = [
  ['a process that is gone', {}, gone, true],
  ['a process that is gone and whose start is not known', { startedAt: null }, gone, true],
  ['another process with its id', {}, sinceTick(600), true],
  ['the process itself', {}, sinceTick(500), false],
  ['a living process that /proc hides', {}, sinceTick(null), false],
  ['a living process whose start was not stored', { startedAt: null }, sinceTick(600), false],
  ['another host', { host: 'b' }, gone, false],
  ['another start of the machine', { bootId: 'other' }, gone, false],
  ['another namespace', { namespaces: 'pid:[2]' }, gone, false],
  ['a system that tells no start of the machine', { bootId: null }, gone, false],
  ['a system that tells no namespaces', { namespaces: null }, gone, false],
  ['another host with another process of that id', { host: 'b' }, sinceTick(600), false],
  ['another namespace with another process of that id', { namespaces: 'pid:[2]' }, sinceTick(600), false],
];

describe('whether the process that holds a lease has ended', () => {
  it.each(CASES)('%s', (_name, change, seen, ended) => {
    expect(hasEnded({ ...observer, pid: 5, startedAt: 500, ...change }, observer, seen)).toBe(ended);
  });

  it('is never claimed where neither process knows its place', () => {
    const unknown = { ...observer, bootId: null, namespaces: null };
    expect(hasEnded(unknown, unknown, gone)).toBe(false);
  });

  it('is seen of real processes', async () => {
    expect(hasEnded(ownProcess(), ownProcess(), seenProcess(process.pid))).toBe(false);
    // The name of the program contains what separates the fields of its state.
    const child = spawn('bash', ['-c', 'printf ") 1 (" >/proc/self/comm; echo; read -r'], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    const withPlainName = spawn('sleep', ['60']);
    const later = seenProcess(withPlainName.pid ?? 0).startedAt ?? 0;
    withPlainName.kill('SIGKILL');
    const living = { ...ownProcess(), pid, startedAt: seenProcess(pid).startedAt };
    expect(hasEnded(living, ownProcess(), seenProcess(pid))).toBe(false);
    expect(living.startedAt ?? 0).toBeGreaterThanOrEqual(ownProcess().startedAt ?? 0);
    expect(living.startedAt ?? 0).toBeLessThanOrEqual(later);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(seenProcess(pid).exists).toBe(false);
  });

  it('cannot be told of a process that belongs to somebody else and of which only the id is known', () => {
    expect(seenProcess(1).exists).toBe(true);
  });
});
