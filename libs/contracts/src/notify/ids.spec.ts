import { describe, expect, it } from '@jest/globals';
import { decode } from '../core/decode.js';
import { deletePushToken } from './push-token.js';
import { listReceipts, readSend, replayDelivery } from './index.js';

describe('NTF-34 OPEN-55: ids in paths of notifications', () => {
  it.each([readSend, listReceipts, replayDelivery, deletePushToken])(
    'with NUL, which no column can hold, are answered like unknown ones: $name',
    ({ params, unknown }) => {
      const ids = { send_id: 'a\0', delivery_id: 'a\0', push_token_id: 'a\0' };
      expect(() => decode(params as never, ids)).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
      expect(unknown).toMatch(/_NOT_FOUND$/);
    },
  );
});
