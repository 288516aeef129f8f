import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectsConfig } from './objects-config.js';
import { createObjects } from './objects.module.js';

/**
 * Tries the store of a service, for the program `check`.
 * @param options `writes`: the prefix below which an object is stored, read and deleted again; without it nothing is stored, for a
 *   store whose objects cannot be deleted
 */
export function storeCheck(config: ObjectsConfig, { writes }: { readonly writes?: string } = {}) {
  return {
    name: 'objects',
    advice:
      'See S3_BUCKET, S3_REGION and S3_ENDPOINT and the permissions on the bucket, or OBJECTS_DIR and its owner.',
    run: async () => {
      const objects = createObjects(config.objects);
      await objects.open();
      try {
        await objects.check();
        if (writes === undefined) return 'the store answers';
        const key = `${writes}check-${randomBytes(8).toString('hex')}`;
        const bytes = randomBytes(32);
        await objects.put(key, Readable.from([bytes], { objectMode: false }), bytes.length);
        const read = await buffer(await objects.read(key));
        await objects.delete(key);
        if (!read.equals(bytes)) throw new Error('the store returned other bytes than it was given');
        return 'an object was stored, read and deleted';
      } finally {
        objects.close();
      }
    },
  };
}
