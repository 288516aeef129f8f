import { relative, sep } from 'node:path';

/**
 * A rule for imports by path, in every form of an import. Nx's own rule misses imports of apps (they export nothing) and of
 * subpaths.
 * @param {(file: string, specifier: string) => string | undefined} violationOf the reason why an import is forbidden; `file` is
 *   relative to the workspace, with slashes
 * @returns {import('eslint').Rule.RuleModule}
 */
export function importRule(violationOf) {
  return {
    meta: { type: 'problem', messages: { forbidden: '{{ violation }}' }, schema: [] },
    create(context) {
      const file = relative(context.cwd, context.filename).split(sep).join('/');
      const check = (/** @type {any} */ source) => {
        const specifier = typeof source?.value === 'string' ? source.value : undefined;
        const violation = specifier && violationOf(file, specifier);
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
}
