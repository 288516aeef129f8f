import { relative, sep } from 'node:path';
import { objectionTo } from './layers.mjs';

/**
 * The import rules of the architecture, by path. Nx's own rule does not see an import of an app (apps export
 * nothing) or of a subpath; this one sees every form in which one module names another.
 * @type {import('eslint').Rule.RuleModule}
 */
export const importsRule = {
  meta: { type: 'problem', messages: { forbidden: '{{ objection }}' }, schema: [] },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const check = (/** @type {any} */ source) => {
      const specifier = typeof source?.value === 'string' ? source.value : undefined;
      const objection = specifier && objectionTo(file, specifier);
      if (objection) context.report({ node: source, messageId: 'forbidden', data: { objection } });
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
