import { relative, sep } from 'node:path';
import type { Rule, RuleNode } from './rule.ts';

/**
 * A rule for imports by path, in every form of an import.
 * @param violationOf the reason why an import is forbidden; `file` is
 *   relative to the workspace, with slashes
 */
export function importRule(
  violationOf: (file: string, specifier: string, isDynamic: boolean) => string | undefined,
): Rule {
  return {
    create(context) {
      const file = relative(context.cwd, context.filename).split(sep).join('/');
      const check = (source: RuleNode | null | undefined, isDynamic = false) => {
        const specifier = source?.type === 'Literal' ? source.value : undefined;
        const message = typeof specifier === 'string' ? violationOf(file, specifier, isDynamic) : undefined;
        if (source && message) context.report({ node: source, message });
      };
      return {
        ImportDeclaration: ({ source }) => check(source),
        ExportNamedDeclaration: ({ source }) => check(source),
        ExportAllDeclaration: ({ source }) => check(source),
        TSImportType: ({ source }) => check(source),
        ImportExpression: ({ source }) => check(source, true),
        'CallExpression[callee.name="require"]': ({ arguments: [source] = [] }) => check(source, true),
      };
    },
  };
}
