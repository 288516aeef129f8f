import { describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { ensureStream, streamOf } from './streams.js';

const harness = useHarness();

describe('MISC-01 OPEN-51: the stream of a service', () => {
  it.each([
    ['each', 'one', 'EVENTS'],
    ['one', 'each', 'EVENTS-sparks'],
  ] as const)(
    'is not made beside streams of EVENT_STREAMS=%s with the other setting, and the error says what to do',
    async (made, other, name) => {
      const { connection } = harness;
      const stream = streamOf('sparks', made, 1);
      const manager = await ensureStream(connection, stream);
      await expect(ensureStream(connection, streamOf('sparks', other, 1))).rejects.toThrow(
        new RegExp(
          `^the stream ${name} cannot be made beside those of the other EVENT_STREAMS.*provision delete-stream`,
        ),
      );
      await manager.streams.delete(stream.name);
    },
  );
});
