import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import S3rver from 's3rver';
import S3Object from 's3rver/lib/models/object.js';
import type FilesystemStore from 's3rver/lib/stores/filesystem.js';

const BUCKET = 'objects';

/**
 * Starts an S3 server with an empty bucket, in this process. It is s3rver with three corrections: objects are visible
 * when complete, interrupted bodies are discarded, and lists are sorted. The credentials are S3RVER, S3RVER.
 */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 'vaultsvc-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const reading = complete(server.store);
  const { port } = await server.run();
  const { httpServer } = server;
  // A busy process reuses a connection at the moment when the server closes it, and a streamed body is not sent again.
  httpServer.keepAliveTimeout = 0;
  return {
    bucket: BUCKET,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    /** The number of objects that are being read. */
    reading: () => reading.size,
    stop: async () => {
      httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Replaces the methods of s3rver's store that differ from S3.
 * @returns the objects that are being read
 */
function complete(store: FilesystemStore): ReadonlySet<S3Object> {
  const original = {
    listObjects: store.listObjects.bind(store),
    deleteObject: store.deleteObject.bind(store),
  };
  const reading = new Set<S3Object>();
  store.putObject = (object) => putWhole(store, object);
  store.getObject = (bucket, key, options) => getRange(store, reading, bucket, key, options);
  store.listObjects = (bucket, options) => listInOrder(original.listObjects, bucket, options);
  store.deleteObject = async (bucket, key) => {
    // Concurrent deletions that leave a folder empty both try to remove it.
    await original.deleteObject(bucket, key).catch(onlyMissing);
  };
  return reading;
}

async function putWhole(store: FilesystemStore, { bucket, key, content, metadata }: S3Object<Readable>) {
  const path = store.getResourcePath(bucket, key, 'object');
  const temporary = join(store.rootDirectory, `${randomBytes(8).toString('hex')}.tmp`);
  const { size, md5 } = await receive(content, temporary);
  if (size !== Number(metadata['content-length'])) throw new Error('the body has a different length');
  await moveInto(temporary, path);
  await Promise.all([store.putMetadata(bucket, key, metadata), writeFile(`${path}.md5`, md5)]);
  return { size, md5 };
}

async function receive(content: Readable, temporary: string) {
  const hash = createHash('md5');
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(content, count, createWriteStream(temporary));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { size, md5: hash.digest('hex') };
}

async function moveInto(temporary: string, path: string, attempt = 1): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await rename(temporary, path);
  } catch (error) {
    // A concurrent deletion may remove the folder between the two.
    if (!isRemoved(error) || attempt === 20) throw error;
    await moveInto(temporary, path, attempt + 1);
  }
}

/** Reads size and content from one file handle: s3rver opens the file twice, and may get two objects. It also ignores the end 0. */
async function getRange(
  store: FilesystemStore,
  reading: Set<S3Object>,
  bucket: string,
  key: string,
  { start, end = Infinity }: FilesystemStore.Range = {},
): Promise<S3Object | null> {
  const handle = await open(store.getResourcePath(bucket, key, 'object')).catch(onlyMissing);
  if (!handle) return null;
  const { size } = await handle.stat();
  const metadata = await store.getMetadata(bucket, key).catch(onlyMissing);
  const object = new S3Object<Readable | null>(bucket, key, null, { ...metadata, 'content-length': size });
  if (start !== undefined) object.range = { start, end: Math.min(end, size - 1) };
  if (start !== undefined && start >= size) {
    await handle.close();
    return object;
  }
  const content = handle.createReadStream(object.range);
  object.content = content;
  reading.add(object);
  content.once('close', () => reading.delete(object));
  return object;
}

function onlyMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Node reports ENOTDIR for a folder that is removed during a recursive mkdir. */
function isRemoved(error: unknown) {
  return isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR';
}

function isMissing(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function listInOrder(
  listObjects: FilesystemStore['listObjects'],
  bucket: string,
  { startAfter = '', maxKeys = 1_000, prefix }: FilesystemStore.ListOptions,
): Promise<FilesystemStore.ObjectList> {
  const { objects } = await listObjects(bucket, { prefix });
  const sorted = objects.filter(({ key }) => key > startAfter).sort((a, b) => (a.key < b.key ? -1 : 1));
  let reads = 0;
  return {
    objects: sorted.slice(0, maxKeys),
    commonPrefixes: [],
    /** s3rver reads this first to create a token, with a cipher that Node has removed, and then for its response. */
    get isTruncated() {
      reads += 1;
      return reads > 1 && sorted.length > maxKeys;
    },
  };
}
