/** Documents in the shapes that the API of Gitea and Forgejo publishes, for `acme/widget`. */
const WEB = 'https://git.acme.example/acme/widget';

const user = (login: string) => ({ id: 3, login, full_name: '', email: `${login}@noreply.acme.example`, avatar_url: '', username: login });

export function repository(more: object = {}) {
  return {
    id: 17,
    owner: user('acme'),
    name: 'widget',
    full_name: 'acme/widget',
    description: '',
    empty: false,
    private: false,
    fork: false,
    internal: false,
    archived: false,
    html_url: WEB,
    clone_url: `${WEB}.git`,
    default_branch: 'main',
    created_at: '2024-01-01T00:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    ...more,
  };
}

function release(tag: string, more: object = {}) {
  return {
    id: 5,
    tag_name: tag,
    target_commitish: 'main',
    name: `Widget ${tag}`,
    body: `Notes of ${tag}`,
    url: `${WEB}/releases/5`,
    html_url: `${WEB}/releases/tag/${tag}`,
    draft: false,
    prerelease: false,
    created_at: '2026-11-19T12:00:00+01:00',
    published_at: '2026-11-19T12:00:00+01:00',
    author: user('ada'),
    assets: [{ id: 1, name: 'widget-darwin-arm64.tar.gz', size: 1, download_count: 0, uuid: 'u', browser_download_url: `${WEB}/attachments/u` }],
    ...more,
  };
}

export function task(id: number, more: object = {}) {
  return {
    id,
    name: 'test',
    head_branch: 'main',
    head_sha: 'a'.repeat(40),
    run_number: 12,
    event: 'push',
    display_title: 'Fix it',
    status: 'success',
    workflow_id: 'ci.yml',
    url: `${WEB}/actions/runs/12`,
    created_at: '2026-11-20T09:00:00Z',
    updated_at: '2026-11-20T09:02:00Z',
    run_started_at: '2026-11-20T09:01:00Z',
    ...more,
  };
}

export function milestone(id: number, more: object = {}) {
  return {
    id,
    title: `Version ${String(id)}`,
    description: '',
    state: 'open',
    open_issues: 0,
    closed_issues: 0,
    created_at: '2026-10-01T00:00:00Z',
    updated_at: null,
    closed_at: null,
    due_on: null,
    ...more,
  };
}

function commit(sha: string, login: string | null) {
  return {
    url: `${WEB}/commit/${sha}`,
    sha,
    created: '2026-11-20T09:00:00Z',
    html_url: `${WEB}/commit/${sha}`,
    commit: { message: 'Fix it', author: { name: 'Ada', email: 'ada@acme.example', date: '2026-11-20T09:00:00Z' } },
    author: login === null ? null : user(login),
    committer: null,
    parents: [],
  };
}

/** A pull request of the branch `topic` to `main`. @param head of the branch */
export function pullRequest(number: number, head: object = {}, more: object = {}) {
  return {
    id: 60 + number,
    url: `${WEB}/pulls/${String(number)}`,
    number,
    user: user('ada'),
    title: 'A title with a secret',
    body: '',
    labels: [],
    milestone: null,
    state: 'closed',
    is_locked: false,
    comments: 0,
    html_url: `${WEB}/pulls/${String(number)}`,
    mergeable: false,
    merged: false,
    merged_at: null,
    merge_commit_sha: null,
    merged_by: null,
    base: { label: 'main', ref: 'main', sha: 'a'.repeat(40), repo_id: 17, repo: repository() },
    head: { label: 'topic', ref: 'topic', sha: 'f'.repeat(40), repo_id: 17, repo: repository(), ...head },
    merge_base: 'a'.repeat(40),
    created_at: '2026-11-19T08:00:00Z',
    updated_at: '2026-11-20T08:00:00Z',
    closed_at: '2026-11-20T08:00:00Z',
    ...more,
  };
}

/** Everything of `acme/widget`, by path. */
export function documents(prefix = '/api/v1/repos/acme/widget'): Record<string, unknown> {
  return {
    [prefix]: repository(),
    [`${prefix}/releases`]: [release('v1.1.0'), release('v1.0.0', { prerelease: true })],
    [`${prefix}/actions/tasks`]: { workflow_runs: [task(31), task(30, { status: 'running', updated_at: '0001-01-01T00:00:00Z' })], total_count: 2 },
    [`${prefix}/milestones`]: [milestone(1)],
    [`${prefix}/commits`]: [commit('b'.repeat(40), 'ada')],
    [`${prefix}/pulls`]: [
      pullRequest(6, { label: '', ref: 'refs/pull/6/head' }),
      pullRequest(5, { repo_id: 18, repo: repository({ id: 18, fork: true }) }),
      pullRequest(4, { ref: 'refs/pull/4/head', repo_id: -1, repo: null }),
      pullRequest(3, { label: 'merged', ref: 'merged' }, { merged: true, merged_at: '2026-11-20T08:00:00Z' }),
      pullRequest(2, { label: 'open', ref: 'open' }, { state: 'open', closed_at: null }),
      pullRequest(1, { ref: 'refs/pull/1/head' }),
    ],
  };
}
