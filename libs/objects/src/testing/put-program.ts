import { Readable } from 'node:stream';
import { Secret } from '@vaultsvc/config';
import { DiskObjects, type DiskSettings } from '../disk-objects.js';
import { Unavailable } from '../errors.js';
import { S3Objects } from '../s3-objects.js';

/** The argument of this program, as JSON. */
export interface PutTask {
  readonly disk?: DiskSettings;
  readonly s3?: { readonly endpoint: string; readonly bucket: string; readonly region: string };
  readonly keys: readonly string[];
  readonly bytes: number;
  /** After this many bytes each content pauses; the program prints `stopped` and waits to be killed. */
  readonly stopAfter?: number;
}

/** The output of the program, as JSON. */
export interface PutReport {
  /** For each key `ok`, or the name of the error and its reason. */
  readonly results: readonly string[];
  /** The maximal growth of resident memory since before the first put, in bytes. */
  readonly growthBytes: number;
}

const CHUNK = Buffer.alloc(64 * 1_024, 7);

const task = JSON.parse(process.argv[2] ?? '{}') as PutTask;
const objects = task.disk ? new DiskObjects(task.disk) : s3();
await objects.open();
const before = process.memoryUsage.rss();
let peak = before;
const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
const results = await Promise.all(task.keys.map(put));
clearInterval(timer);
objects.close();
process.stdout.write(`${JSON.stringify({ results, growthBytes: peak - before } satisfies PutReport)}\n`);

function s3(): S3Objects {
  if (!task.s3) throw new Error('no store given');
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: new Secret('S3RVER') };
  return new S3Objects({ ...task.s3, credentials, pathStyle: true });
}

async function put(key: string): Promise<string> {
  return objects.put(key, content(), task.bytes).then(
    () => 'ok',
    (error: unknown) => (error instanceof Unavailable ? `Unavailable ${error.reason}` : String(error)),
  );
}

function content(): Readable {
  let sent = 0;
  return new Readable({
    read() {
      if (sent === task.stopAfter) return void process.stdout.write('stopped\n');
      const size = Math.min(CHUNK.length, (task.stopAfter ?? task.bytes) - sent);
      sent += size;
      this.push(size > 0 ? CHUNK.subarray(0, size) : null);
    },
  });
}
