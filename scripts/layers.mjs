import { dirname, join, relative } from 'node:path';

const kinds = 'packages/core/src/kinds/';
const rules = 'packages/core/src/rules/';
const ports = 'packages/core/src/ports/';
const useCases = 'packages/core/src/use-cases/';
const core = '@vitrine/core';
const stores = ['@vitrine/adapters-mongo', '@vitrine/adapters-sqlite'];
const config = ['@vitrine/config', '@vitrine/config/limits'];
const collector = ['@vitrine/collector', '@vitrine/collector/server'];
const texts = ['@vitrine/pages', '@vitrine/feeds'];

const composition = 'apps/http/src/composition/';
const openapi = 'apps/http/src/openapi/';
const views = 'apps/http/src/views/';
const serving = 'apps/http/src/serving/';

/**
 * The layers, and what the files of each may import beside each other: folders of their package, and packages of this repository, each by its exact name. What a layer
 * does not name is refused. A file belongs to the first layer that its path begins with. A file without a layer is refused.
 */
const LAYERS = Object.entries({
  [kinds]: [],
  [rules]: [kinds],
  [ports]: [kinds, rules],
  [useCases]: [kinds, rules, ports],
  'packages/core/src/testing/': [kinds, rules, ports],
  'packages/core/src/index.ts': [kinds, rules, ports, useCases],
  'packages/adapters-memory/src/': [core],
  'packages/adapters-mongo/src/': [core],
  'packages/adapters-sqlite/src/': [core],
  'packages/config/src/': [core],
  'packages/collector/src/': [core, ...config, '@vitrine/config/internal'],
  'packages/pages/src/': [core],
  'packages/feeds/src/': [core],
  [serving]: [core],
  'apps/http/src/views/shared/': [core, ...texts, serving],
  [views]: [core, ...texts, serving],
  [openapi]: [core, serving, views],
  [composition]: [core, ...stores, ...config, ...collector, '@vitrine/pages', serving, views, openapi],
  'apps/http/src/index.ts': [serving, views, openapi, composition],
  'apps/http/src/main.ts': [...collector, composition],
  'apps/http/src/collector-main.ts': [...collector, composition],
  'apps/collector/src/': [core, ...stores, ...config, ...collector, '@vitrine/http', '@vitrine/http/store'],
  'test-support/src/': [],
});

const root = dirname(import.meta.dirname);

/** A rule that refuses the imports that no layer allows. Packages from outside are the business of `declared-imports`. */
export const layers = {
  create(context) {
    const file = relative(root, context.filename);
    const [layer, allowed] = LAYERS.find(([folder]) => file.startsWith(folder)) ?? [];
    if (layer === undefined) return { Program: (node) => context.report({ node, message: 'give this folder a layer in scripts/layers.mjs' }) };
    const isAllowed = (specifier) => {
      if (specifier.startsWith('@vitrine/')) return allowed.includes(specifier);
      if (!specifier.startsWith('.')) return true;
      const path = join(dirname(file), specifier);
      return [layer, ...allowed].some((folder) => path.startsWith(folder));
    };
    const judge = ({ source }) => {
      if (typeof source?.value !== 'string' || isAllowed(source.value)) return;
      context.report({ node: source, message: `scripts/layers.mjs does not let ${layer} import this` });
    };
    return { ImportDeclaration: judge, ExportNamedDeclaration: judge, ExportAllDeclaration: judge, ImportExpression: judge, TSImportType: judge };
  },
};
