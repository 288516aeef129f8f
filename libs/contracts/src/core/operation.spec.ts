import { describe, expect, it } from '@jest/globals';
import type { AccountContext, CallContext } from './context.js';
import { IdOf, Int, Text } from './fields.js';
import {
  operation,
  providerOf,
  type CallInput,
  type ContextOf,
  type Handler,
  type Input,
} from './operation.js';
import type { ChatContext, CrmContext, CrmEventsContext, PanelContext } from './provider-context.js';

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

const http = { method: 'POST', path: '/v1/x', status: 200 } as const;
const common = { name: 'things.receive', summary: 'Receives it.', http, reply: Made } as const;
const ofChat = operation({ ...common, access: { provider: 'chatapp', content: 'json' } });
const ofCrm = operation({ ...common, access: { provider: 'crmb' } });
const ofPanel = operation({ ...common, access: { provider: 'panel' } });
const ofWebhook = operation({ ...common, access: { provider: 'crma', webhook: true } });

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

  it('OPEN-38: does not compile with callers and a provider, or with an unknown provider', () => {
    const http = { method: 'POST', path: '/v1/x', status: 200 } as const;
    const common = { name: 'things.open', summary: '', http } as const;
    // @ts-expect-error -- nobody may call it
    operation({ ...common, access: {} });
    // @ts-expect-error -- two kinds of callers
    operation({ ...common, access: { credential: 'none', provider: 'stripe' } });
    // @ts-expect-error -- no such provider
    operation({ ...common, access: { provider: 'crmc' } });
    // @ts-expect-error -- only CRMs have webhooks besides requests for people
    operation({ ...common, access: { provider: 'panel', webhook: true } });
    expect(operation({ ...common, access: { provider: 'crma' } }).access).toEqual({ provider: 'crma' });
  });

  it('OPEN-38: types the context of a provider by what its guard verifies', () => {
    holds<Same<ContextOf<typeof ofChat>, ChatContext>>();
    holds<Same<ContextOf<typeof ofCrm>, CrmContext>>();
    holds<Same<ContextOf<typeof ofPanel>, PanelContext>>();
    holds<Same<ContextOf<typeof ofWebhook>, CrmEventsContext>>();
    // @ts-expect-error -- the request of a CRM has no record of a panel
    const wrong: Handler<typeof ofCrm> = async (_, { record }: PanelContext) => ({ id: record.record_id });
    const right: Handler<typeof ofCrm> = async (_, { userId }: CrmContext) => ({ id: userId });
    expect([wrong, right]).toHaveLength(2);
    const providers = [ofChat, ofCrm, ofPanel, ofWebhook].map((op) => providerOf(op));
    expect(providers).toEqual(['chatapp', 'crmb', 'panel', 'crma']);
  });
});
