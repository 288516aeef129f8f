import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { Violation } from './answer.js';
import type { KnownRecord, KnownValues } from './known-values.js';
import type { Sequence } from './sequence.js';

const TUS = { 'Tus-Resumable': '1.0.0' };
const UPLOAD_BYTES_MAX = 65_536;

/** Commands that use URLs of Forge which replies contain: uploads whole contents, downloads, and uses each URL again. */
export function transfers(): Arbitrary<TransferCommand> {
  return fc
    .tuple(fc.constantFrom('forge_url' as const, 'download_url' as const), fc.nat(99))
    .map(([name, pick]) => new TransferCommand(name, pick));
}

class TransferCommand implements AsyncCommand<KnownValues, Sequence> {
  constructor(
    private readonly name: 'forge_url' | 'download_url',
    private readonly pick: number,
  ) {}

  /** Skipped without a URL, or with one for a large upload. */
  check(known: Readonly<KnownValues>): boolean {
    return this.#choose(known) !== undefined;
  }

  async run(known: KnownValues, sequence: Sequence): Promise<void> {
    sequence.figures.countStep(this.name);
    sequence.journal.note(this.toString());
    const record = this.#choose(known) as KnownRecord;
    const url = record.values[this.name] ?? '';
    if (this.name === 'forge_url') await upload(url, record.sizeBytes ?? 1);
    else await download(url);
    known.setState(url, 'ended');
  }

  toString(): string {
    return `use of ${this.name}`;
  }

  #choose(known: Readonly<KnownValues>): KnownRecord | undefined {
    const records = (['A', 'B'] as const)
      .flatMap((owner) => known.find(owner, [this.name]))
      .filter(({ sizeBytes = 0 }) => sizeBytes > 0 && sizeBytes <= UPLOAD_BYTES_MAX);
    return records[this.pick % records.length];
  }
}

/** A URL of an upload that was superseded or ended is refused; one that was used is refused from then on. */
async function upload(url: string, sizeBytes: number): Promise<void> {
  const headers = { ...TUS, 'Upload-Length': String(sizeBytes) };
  const created = await answered(fetch(url, { method: 'POST', headers }), [201, 401, 404]);
  await answered(fetch(url, { method: 'POST', headers }), [401, 404]);
  const location = created.headers.get('location');
  if (location === null) return;
  const chunk = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const upload = new URL(location, url);
  await answered(
    fetch(upload, { method: 'PATCH', headers: chunk, body: Buffer.alloc(sizeBytes, 'f') }),
    [204, 404],
  );
}

/** A streaming URL may be used again; a deleted ingot has no content any more. */
async function download(url: string): Promise<void> {
  const first = await answered(fetch(url), [200, 401, 404]);
  await first.arrayBuffer();
  const second = await answered(fetch(url), [200, 401, 404]);
  await second.arrayBuffer();
}

async function answered(response: Promise<Response>, expected: readonly number[]): Promise<Response> {
  const { status } = await response;
  if (!expected.includes(status))
    throw new Violation(`Forge answers ${status} instead of ${expected.join(' or ')}`);
  return response;
}
