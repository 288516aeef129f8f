import { basename } from 'node:path';
import type { Rule } from './rule.ts';

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
const shape = new RegExp(`^${kebab}(\\.(${suffixes.join('|').replaceAll('.', '\\.')}))?\\.tsx?$`);

export const fileNamesRule: Rule = {
  create(context) {
    const name = basename(context.filename);
    const message = `${name}: name files in kebab-case, with one suffix of ${suffixes.join(', ')}.`;
    return {
      Program(node) {
        if (!shape.test(name)) context.report({ node, message });
      },
    };
  },
};
