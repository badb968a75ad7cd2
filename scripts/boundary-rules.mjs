import boundaries from 'eslint-plugin-boundaries';

/**
 * The rules of the plugin that the configuration of the linter uses. The linter compiles the schema of every rule of a plugin when it starts, and those of two others
 * take a second.
 */
const USED = ['dependencies', 'no-unknown-dependencies', 'no-unknown-files'];

export default { meta: { name: 'boundaries' }, rules: Object.fromEntries(USED.map((name) => [name, boundaries.rules[name]])) };
