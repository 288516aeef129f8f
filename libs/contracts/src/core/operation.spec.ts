import { describe, expect, it } from '@jest/globals';
import type { AccountContext, CallContext } from './context.js';
import { IdOf, Int, Text } from './fields.js';
import { operation, type CallInput, type ContextOf, type Handler, type Input } from './operation.js';

class Params {
  @IdOf('spk') spark_id: string;
}
class Body {
  @Text({ max: 10 }) payload: string;
  @Int({ min: 1, max: 1440, optional: true }) ttl_minutes = 1440;
}
class Made {
  @Text({ max: 10 }) id: string;
}
const make = operation({
  name: 'things.make',
  summary: 'Makes a thing.',
  http: { method: 'POST', path: '/v1/things/{spark_id}', status: 201 },
  access: { credential: 'key' },
  params: Params,
  body: Body,
  reply: Made,
});
const drop = operation({ name: 'things.drop', summary: 'Drops it.', access: 'internal', callers: [] });

/** Compiles only when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_ extends true>(): void {}

describe('operation', () => {
  it('derives the subject and the service from the name', () => {
    expect(make.subject).toBe('rpc.things.make');
    expect(make.service).toBe('things');
    expect(() =>
      operation({ name: 'things.a.b' as never, summary: '', access: 'internal', callers: [] }),
    ).toThrow('service.verb');
  });

  it('types the input of a handler by the declared parts, and the context of account routes by an account', () => {
    holds<Same<Input<typeof make>['body'], Body>>();
    holds<Same<Input<typeof make>['query'], undefined>>();
    holds<Same<ContextOf<typeof make>, AccountContext>>();
    holds<Same<ContextOf<typeof drop>, CallContext>>();
    holds<Same<keyof CallInput<typeof make>, 'params' | 'body'>>();
    expect(drop.subject).toBe('rpc.things.drop');
  });

  it('does not compile with a wrong reply, a wrong input or without access', () => {
    const right: Handler<typeof make> = async ({ body }) => ({ id: body.payload });
    // @ts-expect-error -- the reply lacks `id`
    const wrongReply: Handler<typeof make> = async () => ({ name: 'x' });
    // @ts-expect-error -- the body has no `colour`
    const wrongInput: Handler<typeof make> = async ({ body }) => ({ id: body.colour });
    // @ts-expect-error -- a route without an access line
    operation({ name: 'things.open', summary: '', http: { method: 'GET', path: '/v1/x', status: 200 } });
    expect([right, wrongReply, wrongInput]).toHaveLength(3);
  });
});
