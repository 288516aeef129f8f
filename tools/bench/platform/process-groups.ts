// The processes of both pipelines, in the same groups.
import type { StackDescription } from '../../stack/descriptor.ts';
import { pidsOf, sum } from '../rows.ts';
import type { BarePipeline } from './bare-pipeline.ts';

/** The names of the groups, in the order of the report. */
export const GROUPS = ['gateway', 'sparks', 'PostgreSQL', 'NATS', 'Redis', 'other services'];

const GROUP_OF: Record<string, string> = {
  gateway: 'gateway',
  'bare gateway': 'gateway',
  sparks: 'sparks',
  'bare sparks': 'sparks',
  postgres: 'PostgreSQL',
  nats: 'NATS',
  redis: 'Redis',
};

/** Figures by group, and of all. */
export type GroupFigures = Record<string, number> & { all: number };

/** All processes of the product, and the emulator of the KMS. */
export function productPids(stack: StackDescription) {
  return pidsOf({ ...stack.services, ...stack.infrastructure, kms: stack.kms });
}

/** The bare pipeline shares its servers with the product, whose services are idle meanwhile. */
export function barePids(stack: StackDescription, bare: BarePipeline): Record<string, number> {
  return { ...bare.pids, ...pidsOf(stack.infrastructure) };
}

/**
 * Adds up the figures of processes by group, and of all.
 * @param figures by the name of a process
 */
export function byGroup(figures: Record<string, number>): GroupFigures {
  const groups = Object.fromEntries(GROUPS.map((group): [string, number] => [group, 0]));
  for (const [name, figure] of Object.entries(figures)) {
    const group = GROUP_OF[name] ?? 'other services';
    groups[group] = (groups[group] ?? 0) + figure;
  }
  return { ...groups, all: sum(groups) };
}
