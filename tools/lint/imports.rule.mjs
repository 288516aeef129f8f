import { relative, sep } from 'node:path';
import { importViolation } from './layers.mjs';

/**
 * The import rules of the architecture, by path. Nx's own rule misses imports of apps (they export nothing) and of
 * subpaths; this rule checks every form of an import.
 * @type {import('eslint').Rule.RuleModule}
 */
export const importsRule = {
  meta: { type: 'problem', messages: { forbidden: '{{ violation }}' }, schema: [] },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const check = (/** @type {any} */ source) => {
      const specifier = typeof source?.value === 'string' ? source.value : undefined;
      const violation = specifier && importViolation(file, specifier);
      if (violation) context.report({ node: source, messageId: 'forbidden', data: { violation } });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (/** @type {any} */ node) => check(node.source ?? node.argument?.literal),
    };
  },
};
