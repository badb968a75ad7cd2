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
export const ACCESS = { releases_access_level: 'enabled', builds_access_level: 'enabled', issues_access_level: 'enabled', public_jobs: true };

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

function milestone(iid: number, more: object = {}) {
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

/** Everything of `acme/widget`, by path. */
export function documents(prefix = '/api/v4/projects/acme%2Fwidget'): Record<string, unknown> {
  return {
    [prefix]: project(),
    [`${prefix}/releases`]: [release('v1.1.0'), release('v1.0.0')],
    [`${prefix}/pipelines`]: [pipeline(70_002), pipeline(70_001, { status: 'running' })],
    [`${prefix}/milestones`]: [milestone(1), milestone(2, { state: 'closed' })],
  };
}
