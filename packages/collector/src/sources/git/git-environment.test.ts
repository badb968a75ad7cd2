import { networkEnvironment, readingEnvironment } from './git.js';

describe.each([
  ['reads', readingEnvironment],
  ['clones', networkEnvironment],
])('the environment of a git that %s', (_, environmentOf) => {
  it('contains neither the address of a database nor variables that select another repository', () => {
    const environment = environmentOf({ HOME: '/home/ada', MONGODB_URI: 'mongodb://ada:secret@db.example', GIT_DIR: '/elsewhere' });
    expect(environment).toMatchObject({ HOME: '/home/ada', GIT_TERMINAL_PROMPT: '0' });
    expect(Object.keys(environment)).not.toContain('MONGODB_URI');
    expect(Object.keys(environment)).not.toContain('GIT_DIR');
  });
});
