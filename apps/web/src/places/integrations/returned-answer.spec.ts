import { describe, expect, it } from '@jest/globals';
import { answerOf } from './returned-answer.js';

const pending = {
  appId: 'chatapp',
  state: 'ours',
  redirectUri: 'https://a.test/r',
  vaultId: undefined,
} as const;
const query = (text: string) => new URLSearchParams(text);

describe('OPEN-38: the answer of a provider', () => {
  it('is a code for the connection that this tab has started', () => {
    expect(answerOf('chatapp', query('code=c&state=ours'), pending)).toEqual({ pending, code: 'c' });
  });

  it.each([
    ['of another state', 'chatapp', query('code=c&state=theirs'), pending],
    ['without a state', 'chatapp', query('code=c'), pending],
    ['at the page of another integration', 'crma', query('code=c&state=ours'), pending],
    ['to nothing that was started', 'chatapp', query('code=c&state=ours'), undefined],
    ['that was used before', 'chatapp', undefined, undefined],
  ])('%s is not used', (_, appId, answer, started) => {
    const problem = expect.stringContaining('has not asked for this connection');
    expect(answerOf(appId, answer, started)).toEqual({ problem });
  });

  it('says that the person did not agree, and nothing that the URL says', () => {
    const denied = query('error=access_denied&error_description=Call+us&state=ours');
    expect(answerOf('chatapp', denied, pending)).toEqual({
      problem: 'The page of the provider was left without consent.',
    });
  });
});
