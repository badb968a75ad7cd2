import { RepeatedProblems } from './repeated-problems.js';

describe('RepeatedProblems', () => {
  it('tells a problem when it begins, when it changes and when it ends', () => {
    const problems = new RepeatedProblems();
    expect(problems.now('a', [])).toEqual({ begun: [], isOver: false });
    expect(problems.now('a', ['x'])).toEqual({ begun: ['x'], isOver: false });
    expect(problems.now('a', ['x'])).toEqual({ begun: [], isOver: false });
    expect(problems.now('a', ['x', 'y'])).toEqual({ begun: ['y'], isOver: false });
    expect(problems.now('a', ['z'])).toEqual({ begun: ['z'], isOver: false });
    expect(problems.now('a', [])).toEqual({ begun: [], isOver: true });
    expect(problems.now('a', [])).toEqual({ begun: [], isOver: false });
    expect(problems.now('a', ['x'])).toEqual({ begun: ['x'], isOver: false });
  });

  it('keeps the problems of different things apart', () => {
    const problems = new RepeatedProblems();
    problems.now('a', ['x']);
    expect(problems.now('b', ['x'])).toEqual({ begun: ['x'], isOver: false });
    expect(problems.now('b', [])).toEqual({ begun: [], isOver: true });
    expect(problems.now('a', ['x'])).toEqual({ begun: [], isOver: false });
  });
});
