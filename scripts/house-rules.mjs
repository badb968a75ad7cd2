import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { layers } from './layers.mjs';

/** A rule that reports each node that one of the selectors finds, with the selector's message. */
const refuses = (messages) => ({
  create: (context) =>
    Object.fromEntries(Object.entries(messages).map(([selector, message]) => [selector, (node) => context.report({ node, message })])),
});

const FORGED = 'only the Allowlist mints ApprovedRepositories';
const OLD = 'an old Node cannot parse this';
const ASK = 'ask the Clock port';

const manifests = new Map();

/** The dependencies of the nearest manifest above a folder, without those for development. */
function declaredIn(folder) {
  if (!manifests.has(folder)) {
    const file = join(folder, 'package.json');
    manifests.set(folder, existsSync(file) ? declaredBy(JSON.parse(readFileSync(file, 'utf8'))) : declaredIn(dirname(folder)));
  }
  return manifests.get(folder);
}

/** Nothing that is deployed loads this package, so all that it needs is for development. */
const FOR_TESTS = '@vitrine/test-support';

const declaredBy = ({ name, dependencies, peerDependencies, devDependencies }) =>
  new Set(Object.keys({ ...dependencies, ...peerDependencies, ...(name === FOR_TESTS && devDependencies), [name]: '' }));

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const isBuiltIn = (specifier) => specifier.startsWith('node:') || builtinModules.includes(specifier);

const declaredImports = {
  create(context) {
    const judge = ({ source }) => {
      const specifier = source?.value;
      if (typeof specifier !== 'string' || specifier.startsWith('.') || isBuiltIn(specifier)) return;
      const name = packageOf(specifier);
      if (declaredIn(dirname(context.filename)).has(name)) return;
      context.report({ node: source, message: `name ${name} under "dependencies" in this package's package.json` });
    };
    return { ImportDeclaration: judge, ExportNamedDeclaration: judge, ExportAllDeclaration: judge, ImportExpression: judge };
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    style: refuses({
      ExportDefaultDeclaration: 'export by name',
      ExportAllDeclaration: 'name what you export',
      TSEnumDeclaration: 'use a union of strings',
    }),
    'literal-patterns': refuses({
      ":matches(NewExpression, CallExpression)[callee.name='RegExp']": 'write a literal: only that is checked for the time it takes',
    }),
    'minted-approvals': refuses({
      "TSAsExpression TSTypeReference[typeName.name='ApprovedRepositories']": FORGED,
      "TSTypeAssertion TSTypeReference[typeName.name='ApprovedRepositories']": FORGED,
      'CallExpression > TSAsExpression > TSNeverKeyword': 'an argument asserted to never passes for everything, approvals included',
    }),
    'named-collections': refuses({
      "CallExpression[callee.property.name='collection']": 'collections are named in packages/adapters-mongo/src/collections.ts alone',
    }),
    'clock-port': refuses({
      "NewExpression[callee.name='Date'][arguments.length=0]": ASK,
      "CallExpression[callee.name='Date']": ASK,
      "VariableDeclarator > Identifier.init[name='Date']": ASK,
    }),
    'process-in-main': refuses({
      "MemberExpression[object.name='globalThis'][property.name='process']": 'only main.ts and collector-main.ts of an app touch process',
    }),
    layers,
    'declared-imports': declaredImports,
    // For the very first file to run: it must parse in a Node that is far too old, to be able to say so.
    'syntax-of-2009': refuses({
      'VariableDeclaration[kind!=var]': 'use var',
      ':matches(ArrowFunctionExpression, ClassDeclaration, ClassExpression, TemplateLiteral, SpreadElement, RestElement, AssignmentPattern)': OLD,
      ':matches(ObjectPattern, ArrayPattern, ForOfStatement, ChainExpression, AwaitExpression, ImportExpression, Property[shorthand=true])': OLD,
      ':matches(CatchClause[param=null], Property[computed=true], Property[method=true], FunctionDeclaration[async=true])': OLD,
      ":matches(FunctionDeclaration[generator=true], LogicalExpression[operator='??'], BinaryExpression[operator='**'], Literal[bigint])": OLD,
    }),
  },
};
