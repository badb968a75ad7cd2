import regexp from 'eslint-plugin-regexp';

/** The part of a rule that reads literals. The other part finds all variables of each file to see what `RegExp` means there, but `house/literal-patterns` refuses it. */
const forLiterals = (rule) => ({
  ...rule,
  create: (context) => {
    const { Program: _, ...visitor } = rule.create(context);
    return visitor;
  },
});

/** The rules of the plugin that the configuration uses. The linter compiles the schema of every rule of a plugin when it starts. */
const USED = ['no-super-linear-backtracking', 'no-super-linear-move'];

export default { meta: { name: 'regexp' }, rules: Object.fromEntries(USED.map((name) => [name, forLiterals(regexp.rules[name])])) };
