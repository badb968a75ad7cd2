/** The names of values of records in English. Sets that may grow have any key: a value without a name is shown as it is. */
export const englishWords = {
  channels: {
    stable: 'Stable',
    prerelease: 'Prerelease',
    rc: 'Release candidate',
    beta: 'Beta',
    alpha: 'Alpha',
    nightly: 'Nightly',
  } as Readonly<Record<string, string>>,
  findingStatuses: { EXPERIMENTAL: 'Experimental', CONFIRMED: 'Confirmed', RELEASED: 'Released', RETRACTED: 'Retracted' } as Readonly<
    Record<string, string>
  >,
  buildStates: {
    queued: 'Queued',
    running: 'Running',
    succeeded: 'Passed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    skipped: 'Skipped',
    unknown: 'Unknown',
  },
  articleKinds: { article: 'Article', help: 'Help', changelog: 'Changelog' },
  changeTypes: {
    feature: 'Feature',
    fix: 'Fix',
    docs: 'Documentation',
    tests: 'Tests',
    refactor: 'Refactoring',
    performance: 'Performance',
    build: 'Build',
    ci: 'CI',
    dependencies: 'Dependencies',
    security: 'Security',
    revert: 'Revert',
    chore: 'Chore',
    other: 'Other',
  } as Readonly<Record<string, string>>,
  missionStatuses: { planned: 'Planned', active: 'Active', paused: 'Paused', completed: 'Completed', cancelled: 'Cancelled' },
  articleChanges: {
    added: 'Added',
    changed: 'Changed',
    deprecated: 'Deprecated',
    removed: 'Removed',
    fixed: 'Fixed',
    security: 'Security',
  },
};
