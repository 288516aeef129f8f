import type { RunningService } from '@vaultsvc/service';
import { rowsOf, startHarness, urlOf, type Harness } from '@vaultsvc/testing/harness';
import { forge } from '../service-definition.js';
import { storeFile } from './stored-file.js';
import { type MintedTransfer, mintDownload, mintTransfer, type TransferOptions } from './transfers.js';

export { urlOf as originOf } from '@vaultsvc/testing/harness';

/** An instance of forge with stored contents, for specs of downloads. */
export interface DownloadFixture {
  readonly harness: Harness;
  readonly service: RunningService;
  readonly url: string;
  /** Stores a content; returns the ISTK of its upload. */
  store(content: Buffer, options?: TransferOptions): Promise<MintedTransfer>;
  /** Mints an ISTK for a download of it, single-use by default. */
  mint(of: MintedTransfer, options?: TransferOptions): Promise<MintedTransfer>;
  stream(of: MintedTransfer, options?: TransferOptions): Promise<MintedTransfer>;
  get(istk: string, headers?: Record<string, string>): Promise<Response>;
  sql<Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export async function startDownloadFixture(settings: Record<string, string> = {}): Promise<DownloadFixture> {
  const harness = await startHarness({
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_IP_PER_MINUTE: '1000000',
    ...settings,
  });
  const service = await harness.start(forge);
  const url = urlOf(service);
  const bytesMax = 2 ** 40;
  return {
    harness,
    service,
    url,
    store: async (content, options) => {
      const file = await mintTransfer(harness, { ...options, sizeBytes: content.length });
      await storeFile(service, file, content);
      return file;
    },
    mint: (of, options) => mintDownload(harness, of, options),
    stream: (of, options) => mintDownload(harness, of, { mode: 'stream', bytesMax, ...options }),
    get: (istk, headers = {}) => fetch(`${url}/decrypt?istk=${istk}`, { headers }),
    sql: (text, values) => rowsOf(service, text, values),
  };
}
