import type { Rule } from './rule.ts';

/** A selector of ESTree nodes, and the reason why they are refused. */
export interface Refusal {
  readonly selector: string;
  readonly message: string;
}

/** Refuses the nodes that its options select: `no-restricted-syntax` of ESLint, which oxlint lacks. */
export const syntaxRule: Rule = {
  meta: {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { selector: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  create(context) {
    const refusals = context.options as readonly Refusal[];
    return Object.fromEntries(
      refusals.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    );
  },
};
