// The ways of creates and burns through the platform.
import type { Step } from '../bench/platform/rounds.ts';
import type { Path } from './network.ts';

/** A create is one statement, a burn two (ADR 26); its event leaves the outbox for the services that apply it. */
export const PATHS: Readonly<Record<Step, Path>> = {
  create: pathWith('postgres', 'sparks'),
  burn: pathWith('postgres', 'sparks', 'postgres', 'sparks'),
};

/** Statements under way at once in each batcher (ADR 25) of a copy of sparks: a burn passes two of them. */
export const STATEMENTS: Readonly<Record<Step, number>> = { create: 2, burn: 4 };

/** A client takes an answer and sends its next request in one batch. */
function pathWith(...statements: string[]): Path {
  return {
    visits: ['gateway', 'redis', 'gateway', 'nats', 'sparks', ...statements, 'nats', 'gateway', 'client'],
    afterwards: ['sparks', 'postgres', 'nats', 'events', 'postgres'],
  };
}

/** How often a request and its event visit a station. */
export function visitsOf({ visits, afterwards }: Path, station: string): number {
  return [...visits, ...afterwards].filter((name) => name === station).length;
}
