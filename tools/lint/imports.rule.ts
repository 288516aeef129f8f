import { relative, sep } from 'node:path';
import type { Rule } from 'eslint';

type Expression = Extract<Rule.Node, { type: 'ImportExpression' }>['source'];

/** `import('…')` in a type, which ESTree does not have. */
type TypeImport = Rule.Node & { source?: Expression };

/**
 * A rule for imports by path, in every form of an import. Nx's own rule misses imports of apps (they export nothing) and of
 * subpaths.
 * @param violationOf the reason why an import is forbidden; `file` is
 *   relative to the workspace, with slashes
 */
export function importRule(
  violationOf: (file: string, specifier: string) => string | undefined,
): Rule.RuleModule {
  return {
    meta: { type: 'problem', messages: { forbidden: '{{ violation }}' }, schema: [] },
    create(context) {
      const file = relative(context.cwd, context.filename).split(sep).join('/');
      const check = (source: Expression | null | undefined) => {
        const specifier = source?.type === 'Literal' ? source.value : undefined;
        const violation = typeof specifier === 'string' ? violationOf(file, specifier) : undefined;
        if (source && violation)
          context.report({ node: source, messageId: 'forbidden', data: { violation } });
      };
      return {
        ImportDeclaration: (node) => check(node.source),
        ExportNamedDeclaration: (node) => check(node.source),
        ExportAllDeclaration: (node) => check(node.source),
        ImportExpression: (node) => check(node.source),
        TSImportType: ({ source }: TypeImport) => check(source),
      };
    },
  };
}
