import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseText } from '../docs/sources.ts';
import { answerBounds, askedClasses } from './asked-classes.ts';
import { codeMutations } from './code-mutations.ts';
import { draw } from './draw.ts';
import { plant, type Mutation, type Site } from './site.ts';
import { sqlMutations } from './sql-mutations.ts';

/** The mutants of a text, each with its kind. */
function mutantsOf(text: string): [string, string][] {
  const found: Mutation[] = [];
  const visit = (node: ts.Node) => {
    found.push(...sqlMutations(node), ...codeMutations(node));
    node.forEachChild(visit);
  };
  visit(parseText('apps/sparks/src/example.ts', text));
  return found.map((mutation) => [mutation.kind, plant(text, mutation)]);
}

describe('A mutant of a statement', () => {
  it('loses one condition, and keeps the types of its parameters', () => {
    const sql = (conditions: string) =>
      `statement('a', \`SELECT 1 FROM t WHERE id = $1 ${conditions} LIMIT 1\`)`;
    const mutants = mutantsOf(sql('AND account_id = $2 AND (a OR b)')).filter(([kind]) => kind === 'where');
    expect(mutants.map(([, text]) => text)).toEqual([
      sql('AND (account_id = $2 OR TRUE) AND (a OR b)'),
      sql('AND account_id = $2 AND ((a OR b) OR TRUE)'),
    ]);
  });

  it('keeps both ends of a range', () => {
    expect(mutantsOf("statement('a', `SELECT 1 FROM t WHERE n BETWEEN 1 AND 5`)")).toEqual([]);
  });

  it('takes the time of now for one that was stored', () => {
    const sql = (time: string) =>
      `statement('a', \`SELECT ${time} AS at FROM sparks s ORDER BY s.created_at\`)`;
    expect(mutantsOf(sql('s.created_at'))).toEqual([['time', sql('now()')]]);
  });

  it('records no event', () => {
    const sql = (end: string) =>
      `statement('a', \`WITH e AS (INSERT INTO outbox (name) SELECT 'x' FROM gone${end} RETURNING name) SELECT 1\`)`;
    expect(mutantsOf(sql(''))).toEqual([['event', sql(' WHERE FALSE')]]);
  });
});

describe('A mutant of a contract or a handler', () => {
  it.each([
    ['status', 'x({ status: 202 })', 'x({ status: 200 })'],
    ['role', "x({ access: { role: 'admin' } })", 'x({ access: { role: undefined } })'],
    ['limit', 'class A { @Text({ max: 64 }) b: string }', 'class A { @Text({ max: 65 }) b: string }'],
    ['limit', 'class A { @Int({ min: 1 }) b: number }', 'class A { @Int({ min: 0 }) b: number }'],
    ['limit', 'const EVENTS_MAX = 1_000', 'const EVENTS_MAX = 1001'],
    ['default', 'class A { @Flag() b = false }', 'class A { @Flag() b = true }'],
    ['error', "throw new AppError('NOT_FOUND')", "throw new AppError('PRECONDITION_FAILED')"],
    ['event', 'await this.outbox.publish(tx, gone, fact)', ';'],
    ['header', "send(['Retry-After', '5'])", "send(['X-Mutant', '5'])"],
  ])('has another %s', (kind, text, mutant) => {
    expect(mutantsOf(text)).toEqual([[kind, mutant]]);
  });

  it('leaves other numbers, and statuses of errors, alone', () => {
    expect(mutantsOf('x({ status: 404, max: 5 }); const DAY_MS = 86_400_000; class A { b = 5 }')).toEqual([]);
  });
});

describe('A draw', () => {
  const site = (service: string, kind: string, line: number) => ({ service, kind, line }) as Site;
  const sites = Array.from({ length: 40 }, (_, i) =>
    site(i < 30 ? 'auth' : 'forge', i % 4 === 0 ? 'where' : 'error', i),
  );

  it('is repeated by its seed, and another with another seed', () => {
    expect(draw(sites, 12, 5)).toEqual(draw(sites, 12, 5));
    expect(draw(sites, 12, 5)).not.toEqual(draw(sites, 12, 6));
  });

  it('takes as many of each service and of each kind, while they last', () => {
    const drawn = draw(sites, 8, 1);
    const count = (has: (s: Site) => boolean) => drawn.filter(has).length;
    expect([count((s) => s.service === 'auth'), count((s) => s.service === 'forge')]).toEqual([4, 4]);
    expect([count((s) => s.kind === 'where'), count((s) => s.kind === 'error')]).toEqual([4, 4]);
  });

  it('ends with the last site', () => {
    expect(new Set(draw(sites, 100, 1)).size).toBe(40);
  });
});

describe('The classes whose bounds are promised', () => {
  const asked = askedClasses();

  it('are those that callers of the API send, with nested ones, and neither answers nor calls between services', () => {
    for (const name of ['NewInteraction', 'NewSpark', 'NotifyPolicy']) expect(asked).toContain(name);
    for (const name of ['InteractionReceipt', 'PasskeyIdentities']) expect(asked).not.toContain(name);
    expect(asked).not.toContain('SendParams'); // an id that is too long is answered as an unknown one
  });

  it('have no constant that only answers name', () => {
    const bounds = answerBounds(asked);
    expect(bounds).toContain('PART_CHARACTERS_MAX');
    for (const name of ['STRUCTURED_BODY_BYTES_MAX', 'SPARK_PAYLOAD_BYTES_MAX'])
      expect(bounds).not.toContain(name);
  });
});
