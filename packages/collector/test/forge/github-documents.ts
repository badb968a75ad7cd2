/** Documents in the shapes that the REST API of GitHub publishes, for `acme/widget`. */
const WEB = 'https://github.com/acme/widget';
const API = 'https://api.github.com/repos/acme/widget';

const user = (login: string) => ({
  login,
  id: 583231,
  node_id: 'MDQ6VXNlcjU4MzIzMQ==',
  avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
  html_url: `https://github.com/${login}`,
  type: 'User',
  site_admin: false,
});

export function repository(more: object = {}) {
  return {
    id: 4711,
    node_id: 'R_kgDOABCDEF',
    name: 'widget',
    full_name: 'acme/widget',
    private: false,
    owner: user('acme'),
    html_url: WEB,
    description: 'Widgets',
    fork: false,
    url: API,
    created_at: '2024-01-01T00:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    pushed_at: '2026-11-20T10:00:00Z',
    clone_url: `${WEB}.git`,
    archived: false,
    disabled: false,
    visibility: 'public',
    default_branch: 'main',
    ...more,
  };
}

const asset = (name: string) => ({
  id: 1,
  node_id: 'RA_1',
  name,
  label: '',
  content_type: 'application/gzip',
  state: 'uploaded',
  size: 1_024,
  download_count: 42,
  browser_download_url: `${WEB}/releases/download/v1/${name}`,
});

export function release(tag: string, more: object = {}, files: readonly string[] = []) {
  return {
    id: 1,
    node_id: 'RE_1',
    url: `${API}/releases/1`,
    html_url: `${WEB}/releases/tag/${tag}`,
    author: user('ada'),
    tag_name: tag,
    target_commitish: 'main',
    name: `Widget ${tag}`,
    draft: false,
    prerelease: false,
    created_at: '2026-11-19T10:00:00Z',
    published_at: '2026-11-19T11:00:00Z',
    assets: files.map(asset),
    tarball_url: `${API}/tarball/${tag}`,
    zipball_url: `${API}/zipball/${tag}`,
    body: `Notes of **${tag}**`,
    ...more,
  };
}

export function run(id: number, more: object = {}) {
  return {
    id,
    name: 'CI',
    node_id: 'WFR_1',
    head_branch: 'main',
    head_sha: 'a'.repeat(40),
    path: '.github/workflows/ci.yml',
    display_title: 'Fix it',
    run_number: id % 1_000,
    run_attempt: 1,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    workflow_id: 7,
    url: `${API}/actions/runs/${String(id)}`,
    html_url: `${WEB}/actions/runs/${String(id)}`,
    pull_requests: [],
    repository: repository(),
    head_repository: repository(),
    created_at: '2026-11-20T09:00:00Z',
    updated_at: '2026-11-20T09:05:30Z',
    run_started_at: '2026-11-20T09:00:00Z',
    actor: user('ada'),
    head_commit: { id: 'a'.repeat(40), message: 'Fix it', author: { name: 'Ada', email: 'ada@acme.example' } },
    ...more,
  };
}

export function milestone(number: number, more: object = {}) {
  return {
    url: `${API}/milestones/${String(number)}`,
    html_url: `${WEB}/milestone/${String(number)}`,
    id: 9_000 + number,
    node_id: 'MI_1',
    number,
    title: `Version ${String(number)}`,
    description: 'What we want',
    creator: user('ada'),
    open_issues: 1,
    closed_issues: 3,
    state: 'open',
    created_at: '2026-10-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    due_on: '2026-12-01T08:00:00Z',
    closed_at: null,
    ...more,
  };
}

export function commit(sha: string, login: string | null) {
  return {
    sha,
    node_id: 'C_1',
    url: `${API}/commits/${sha}`,
    html_url: `${WEB}/commit/${sha}`,
    commit: { message: 'Fix it', author: { name: 'Ada', email: 'ada@acme.example', date: '2026-11-20T09:00:00Z' } },
    author: login === null ? null : user(login),
    committer: user('web-flow'),
    parents: [],
  };
}

const fork = { label: 'eve:topic', user: user('eve'), repo: repository({ id: 9, full_name: 'eve/widget', fork: true }) };

/** A pull request of the branch `topic` to `main`. @param head of the branch */
export function pullRequest(number: number, head: object = {}, more: object = {}) {
  return {
    url: `${API}/pulls/${String(number)}`,
    id: 1_000 + number,
    node_id: 'PR_1',
    html_url: `${WEB}/pull/${String(number)}`,
    number,
    state: 'closed',
    locked: false,
    title: 'A title with a secret',
    user: user('ada'),
    body: null,
    created_at: '2026-11-19T08:00:00Z',
    updated_at: '2026-11-20T08:00:00Z',
    closed_at: '2026-11-20T08:00:00Z',
    merged_at: null,
    merge_commit_sha: 'e'.repeat(40),
    draft: false,
    head: { label: 'acme:topic', ref: 'topic', sha: 'f'.repeat(40), user: user('acme'), repo: repository(), ...head },
    base: { label: 'acme:main', ref: 'main', sha: 'a'.repeat(40), user: user('acme'), repo: repository() },
    author_association: 'MEMBER',
    auto_merge: null,
    ...more,
  };
}

/** One that was merged, one that is open, one that was closed, one of a fork, and one of a fork that was deleted. */
function pullRequests() {
  return [
    pullRequest(5, fork),
    pullRequest(4, { ...fork, user: null, repo: null }),
    pullRequest(3, { ref: 'merged' }, { merged_at: '2026-11-20T08:00:00Z' }),
    pullRequest(2, { ref: 'open' }, { state: 'open', closed_at: null }),
    pullRequest(1),
  ];
}

/** Everything of `acme/widget`, by path. */
export function documents(prefix = '/repos/acme/widget'): Record<string, unknown> {
  const runs = [run(20_000_000_002), run(20_000_000_001, { status: 'in_progress', conclusion: null })];
  return {
    [prefix]: repository(),
    [`${prefix}/releases`]: [release('v1.1.0', {}, ['widget-linux-amd64.tar.gz', 'widget.deb']), release('v1.0.0')],
    [`${prefix}/actions/runs`]: { total_count: runs.length, workflow_runs: runs },
    [`${prefix}/milestones`]: [milestone(1)],
    [`${prefix}/commits`]: [commit('b'.repeat(40), 'ada'), commit('c'.repeat(40), null)],
    [`${prefix}/pulls`]: pullRequests(),
  };
}
