import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@vaultsvc/client';
import { findingOf } from './claim-draft.js';

const refusal = (details: Record<string, unknown>) =>
  new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: 'Invalid request.', details });

describe('The check of a domain', () => {
  it('DOM-09: says what it looked up, expected and found', () => {
    const details = { looked_up: 'TXT _vaultsvc.a.example', expected: 'token', found: 'Nothing.' };
    expect(findingOf(refusal(details))).toEqual({
      lookedUp: 'TXT _vaultsvc.a.example',
      expected: 'token',
      found: 'Nothing.',
    });
  });

  it('says nothing of the kind about other refusals', () => {
    expect(
      findingOf(refusal({ fields: [{ field: 'domain', message: 'must be a domain' }] })),
    ).toBeUndefined();
    expect(findingOf(new Error('lost'))).toBeUndefined();
  });
});
