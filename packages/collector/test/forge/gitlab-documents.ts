/** Documents in the shapes that the REST API of GitLab publishes, for `acme/widget`. */
const WEB = 'https://gitlab.com/acme/widget';

/** As GitLab describes a project to somebody without a token. */
export function project(more: object = {}) {
  return {
    id: 4242,
    description: 'Widgets',
    name: 'widget',
    name_with_namespace: 'acme / widget',
    path: 'widget',
    path_with_namespace: 'acme/widget',
    created_at: '2024-01-01T00:00:00.000Z',
    default_branch: 'main',
    http_url_to_repo: `${WEB}.git`,
    web_url: WEB,
    visibility: 'public',
    ...more,
  };
}

/** What a token adds. */
export const ACCESS = {
  releases_access_level: 'enabled',
  builds_access_level: 'enabled',
  issues_access_level: 'enabled',
  merge_requests_access_level: 'enabled',
  public_jobs: true,
};

function release(tag: string, more: object = {}) {
  return {
    tag_name: tag,
    description: `Notes of ${tag}`,
    name: `Widget ${tag}`,
    created_at: '2026-11-19T10:00:00.000Z',
    released_at: '2026-11-19T11:00:00.000Z',
    upcoming_release: false,
    author: { id: 1, name: 'Ada', username: 'ada', state: 'active' },
    assets: {
      count: 3,
      sources: [{ format: 'zip', url: `${WEB}/-/archive/${tag}/widget-${tag}.zip` }],
      links: [{ id: 3, name: 'widget-setup.exe', url: 'https://acme.example/widget-setup.exe', link_type: 'other' }],
    },
    _links: { self: `${WEB}/-/releases/${tag}` },
    ...more,
  };
}

export function pipeline(id: number, more: object = {}) {
  return {
    id,
    iid: id % 1_000,
    project_id: 4242,
    sha: 'a'.repeat(40),
    ref: 'main',
    status: 'success',
    source: 'push',
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: '2026-11-20T09:05:00.000Z',
    web_url: `${WEB}/-/pipelines/${String(id)}`,
    name: null,
    ...more,
  };
}

export function milestone(iid: number, more: object = {}) {
  return {
    id: 800 + iid,
    iid,
    project_id: 4242,
    title: `Version ${String(iid)}`,
    description: 'What we want',
    state: 'active',
    created_at: '2026-10-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    due_date: '2026-12-01',
    start_date: '2026-10-01',
    expired: false,
    web_url: `${WEB}/-/milestones/${String(iid)}`,
    ...more,
  };
}

/** A merge request of the branch `topic` to `main`. */
export function mergeRequest(iid: number, more: object = {}) {
  return {
    id: 500 + iid,
    iid,
    project_id: 4242,
    title: 'A title with a secret',
    description: '',
    state: 'closed',
    created_at: '2026-11-19T08:00:00.000Z',
    updated_at: '2026-11-20T08:00:00.000Z',
    merged_at: null,
    closed_by: { id: 1, username: 'ada', name: 'Ada' },
    closed_at: '2026-11-20T08:00:00.000Z',
    target_branch: 'main',
    source_branch: 'topic',
    author: { id: 1, username: 'ada', name: 'Ada' },
    source_project_id: 4242,
    target_project_id: 4242,
    labels: [],
    draft: false,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'not_open',
    sha: 'f'.repeat(40),
    merge_commit_sha: null,
    squash_commit_sha: null,
    web_url: `${WEB}/-/merge_requests/${String(iid)}`,
    ...more,
  };
}

/** Everything of `acme/widget`, by path. */
export function documents(prefix = '/api/v4/projects/acme%2Fwidget'): Record<string, unknown> {
  return {
    [prefix]: project(),
    [`${prefix}/releases`]: [release('v1.1.0'), release('v1.0.0')],
    [`${prefix}/pipelines`]: [pipeline(70_002), pipeline(70_001, { status: 'running' })],
    [`${prefix}/milestones`]: [milestone(1), milestone(2, { state: 'closed' })],
    [`${prefix}/merge_requests`]: [
      mergeRequest(6, { sha: null }),
      mergeRequest(5, { source_project_id: 4343 }),
      mergeRequest(4, { source_project_id: null }),
      mergeRequest(3, { source_branch: 'merged', state: 'merged', merged_at: '2026-11-20T08:00:00.000Z', closed_at: null }),
      mergeRequest(2, { source_branch: 'open', state: 'locked', closed_at: null }),
      mergeRequest(1),
    ],
  };
}
