// @ts-nocheck
// The processes of both pipelines, in the same groups.
import { pidsOf, sum } from '../rows.ts';

/** The names of the groups, in the order of the report. */
export const GROUPS = ['gateway', 'sparks', 'PostgreSQL', 'NATS', 'Redis', 'other services'];

const GROUP_OF = {
  gateway: 'gateway',
  'bare gateway': 'gateway',
  sparks: 'sparks',
  'bare sparks': 'sparks',
  postgres: 'PostgreSQL',
  nats: 'NATS',
  redis: 'Redis',
};

/** All processes of the product, and the emulator of the KMS. */
export function productPids(stack) {
  return pidsOf({ ...stack.services, ...stack.infrastructure, kms: stack.kms });
}

/** The bare pipeline shares its servers with the product, whose services are idle meanwhile. */
export function barePids(stack, bare) {
  return { ...bare.pids, ...pidsOf(stack.infrastructure) };
}

/**
 * Adds up the figures of processes by group, and of all.
 * @param figures by the name of a process
 */
export function byGroup(figures: Record<string, number>): Record<string, number> {
  const groups = Object.fromEntries(GROUPS.map((group) => [group, 0]));
  for (const [name, figure] of Object.entries(figures)) groups[GROUP_OF[name] ?? 'other services'] += figure;
  return { ...groups, all: sum(groups) };
}
