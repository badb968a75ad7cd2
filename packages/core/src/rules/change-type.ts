import { asciiLowerCase } from '../kinds/repository-name.js';

const BY_WORD: ReadonlyMap<string, string> = new Map([
  ...words('feature', 'feat feature add adds added implement implements introduce introduces support'),
  ...words('fix', 'fix fixes fixed bugfix hotfix correct corrects repair repairs'),
  ...words('docs', 'docs doc document documents documentation readme'),
  ...words('tests', 'test tests testing'),
  ...words(
    'refactor',
    'refactor refactors refactored refactoring rename renames simplify simplifies extract extracts move moves restructure cleanup',
  ),
  ...words('performance', 'perf performance optimise optimises optimize optimizes'),
  ...words('build', 'build packaging'),
  ...words('ci', 'ci'),
  ...words('dependencies', 'deps dependencies dependency bump bumps'),
  ...words('security', 'security sec'),
  ...words('revert', 'revert reverts reverted'),
  ...words('chore', 'chore chores style release'),
]);

const CONVENTIONAL = /^([A-Za-z]+)(?:\(([^()]*)\))?!?:\s/;
/** `[ci skip]`, `[skip actions]`: what a build server does with the commit, not what it changes. */
const SKIP_MARKS = /^\s*\[(?:(?:skip|no)[ -]\w+|\w+[ -]skip)\]\s*/i;
const FIRST_WORD = /^[[\s]*([A-Za-z]+)/;

const DOCS = /(^|\/)(docs?|documentation)\/|\.(md|mdx|rst|adoc|txt)$|(^|\/)(LICENSE|NOTICE|AUTHORS)$/i;
const TESTS = /(^|\/)(tests?|__tests__|spec|specs|fixtures)\/|[._-](test|spec)\.[a-z]+$|(^|\/)test_[^/]+$|_test\.[a-z]+$/i;
const CI = /(^|\/)\.(github\/workflows|gitlab-ci|circleci|travis|ci)\b|(^|\/)Jenkinsfile$/i;
const DEPENDENCIES =
  /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|go\.sum|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|requirements[^/]*\.txt)$/i;
const BUILD =
  /(^|\/)(Makefile|Dockerfile|CMakeLists\.txt|package\.json|tsconfig[^/]*\.json|pom\.xml|build\.gradle(\.kts)?|Cargo\.toml|go\.mod|pyproject\.toml)$/i;

/** Tried in this order. A type applies if all changed paths match. Lock files come first, because they change together with their manifest. */
const BY_PATH: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['tests', TESTS],
  ['ci', CI],
  ['docs', DOCS],
  ['dependencies', DEPENDENCIES],
  ['build', BUILD],
];

/** The type of change of a commit: by its conventional prefix, else a clear first word, else the paths if all are of one type; `null` if none shows it. */
export function changeTypeOf(subject: string, paths: readonly string[]): string | null {
  return bySubject(subject.replace(SKIP_MARKS, '')) ?? byPaths(paths);
}

function bySubject(subject: string): string | null {
  const conventional = CONVENTIONAL.exec(subject);
  if (conventional === null) return byWord(FIRST_WORD.exec(subject)?.[1]);
  const [, type, scope = ''] = conventional;
  return /^deps(-dev)?$/.test(scope) ? 'dependencies' : (byWord(type) ?? 'other');
}

function byWord(word = ''): string | null {
  return BY_WORD.get(asciiLowerCase(word)) ?? null;
}

function byPaths(paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
  return BY_PATH.find(([, pattern]) => paths.every((path) => pattern.test(path)))?.[0] ?? null;
}

function words(type: string, list: string): [string, string][] {
  return list.split(' ').map((word) => [word, type]);
}
