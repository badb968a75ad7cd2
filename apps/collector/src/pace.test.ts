import { Pace, Progress } from './progress.js';

describe('Pace', () => {
  it('says the rate and the remaining time as soon as they are known', () => {
    const pace = new Pace();
    const commits = (done: number) => ({ done, what: 'commits', total: 50_000 });
    expect(pace.textOf(commits(0), 10_000)).toBe('0 of 50,000 commits');
    expect(pace.textOf(commits(2_000), 10_500)).toBe('2,000 of 50,000 commits');
    expect(pace.textOf(commits(10_000), 12_000)).toBe('10,000 of 50,000 commits, 5,000/s, 8 s left');
    expect(pace.textOf(commits(11_000), 210_000)).toBe('11,000 of 50,000 commits, 55/s, 12 min left');
    expect(pace.textOf(commits(50_000), 211_000)).toBe('50,000 of 50,000 commits, 249/s, 0 s left');
  });

  it('says only the rate if the total is not known', () => {
    const pace = new Pace();
    pace.textOf({ done: 1, what: 'lines' }, 0);
    expect(pace.textOf({ done: 13, what: 'lines' }, 5_000)).toBe('13 lines, 2.4/s');
  });

  it('starts again when another phase begins', () => {
    const pace = new Pace();
    pace.textOf({ done: 0, what: 'fetched' }, 0);
    expect(pace.textOf({ done: 1_000, what: 'commits' }, 60_000)).toBe('1,000 commits');
    expect(pace.textOf({ done: 3_000, what: 'commits' }, 61_000)).toBe('3,000 commits, 2,000/s');
    expect(pace.textOf({ done: 10, what: 'commits' }, 70_000)).toBe('10 commits');
  });
});

describe('Progress', () => {
  it('shows each piece of work with its own rate, and forgets the rate at its end', () => {
    let now = 0;
    const shown: string[] = [];
    const progress = new Progress({ isTTY: true, write: (text) => shown.push(text.replace(/^\r\u001b\[K/, '')) }, () => now);
    const count = (name: string, done: number) => {
      now += 1_000;
      progress.count(name, { done, what: 'records' });
    };
    count('a', 0);
    count('b', 0);
    count('a', 100);
    progress.end('a');
    count('a', 400);
    expect(shown.filter((text) => text !== '')).toEqual(['a: 0 records', 'b: 0 records', 'a: 100 records, 50/s', 'a: 400 records']);
  });
});
