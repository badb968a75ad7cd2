import { RepeatedProblems, RunNews } from './news.js';

describe('RepeatedProblems', () => {
  it('tells a problem when it begins, when it changes and when it ends', () => {
    const problems = new RepeatedProblems();
    expect(problems.now('a', [])).toMatchObject({ begun: [], isOver: false });
    expect(problems.now('a', ['x'])).toMatchObject({ begun: ['x'], isOver: false });
    expect(problems.now('a', ['x'])).toMatchObject({ begun: [], isOver: false });
    expect(problems.now('a', ['x', 'y'])).toMatchObject({ begun: ['y'], isOver: false });
    expect(problems.now('a', ['z'])).toMatchObject({ begun: ['z'], isOver: false });
    expect(problems.now('a', [])).toMatchObject({ begun: [], isOver: true });
    expect(problems.now('a', [])).toMatchObject({ begun: [], isOver: false });
    expect(problems.now('a', ['x'])).toMatchObject({ begun: ['x'], isOver: false });
  });

  it('tells which problems are over', () => {
    const problems = new RepeatedProblems();
    problems.now('a', ['x', 'y']);
    expect(problems.now('a', ['y', 'z'])).toEqual({ begun: ['z'], ended: ['x'], isOver: false });
    expect(problems.now('a', [])).toEqual({ begun: [], ended: ['y', 'z'], isOver: true });
  });

  it('keeps the problems of different things apart', () => {
    const problems = new RepeatedProblems();
    problems.now('a', ['x']);
    expect(problems.now('b', ['x'])).toMatchObject({ begun: ['x'], isOver: false });
    expect(problems.now('b', [])).toMatchObject({ begun: [], isOver: true });
    expect(problems.now('a', ['x'])).toMatchObject({ begun: [], isOver: false });
  });
});

describe('RunNews', () => {
  it('tells two sources apart that logs call the same', () => {
    const listOf = (server: string) => ({
      id: 'approved acme/*',
      registration: { id: `configuration:${server}acme`, sourceType: 'configuration', label: 'acme/*', repositoryRef: '-', feeds: [] } as const,
    });
    const news = new RunNews();
    const report = { stored: 0, unchanged: 1, removed: 0, warnings: [] };
    expect(news.failed(listOf(''), 'it is down')).toEqual({ isFirst: true, isNew: true });
    expect(news.completed(listOf('github.acme.example:'), report)).toMatchObject({ isFirst: true, isRecovered: false });
    expect(news.failed(listOf(''), 'it is down')).toEqual({ isFirst: false, isNew: false });
    expect(news.completed(listOf(''), report)).toMatchObject({ isFirst: false, isRecovered: true });
  });
});
