import { basename } from 'node:path';
import type { Rule } from 'eslint';

/** A file name has one of these suffixes, which is its role, or none. */
const suffixes = [
  'entity',
  'repository',
  'handler',
  'job',
  'consumer',
  'controller',
  'filter',
  'providers',
  'module',
  'migration',
  'rule',
  'spec',
  'race.spec',
  'fuzz.spec',
  'e2e',
  'client',
  'd',
];

const kebab = '[a-z0-9]+(-[a-z0-9]+)*';
const shape = new RegExp(`^${kebab}(\\.(${suffixes.join('|').replaceAll('.', '\\.')}))?\\.ts$`);

export const fileNamesRule: Rule.RuleModule = {
  meta: {
    type: 'problem',
    messages: { shape: `{{ name }}: name files in kebab-case, with one suffix of ${suffixes.join(', ')}.` },
    schema: [],
  },
  create(context) {
    const name = basename(context.filename);
    return {
      Program(node) {
        if (!shape.test(name)) context.report({ node, messageId: 'shape', data: { name } });
      },
    };
  },
};
