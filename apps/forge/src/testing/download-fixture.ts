import type { RunningService } from '@vaultsvc/service';
import { rowsOf, startHarness, urlOf, type Harness } from '@vaultsvc/testing/harness';
import { forge } from '../service-definition.js';
import { storeFile } from './stored-file.js';
import { type MintedTransfer, mintDownload, mintTransfer, type TransferOptions } from './transfers.js';

export { urlOf as originOf } from '@vaultsvc/testing/harness';

/** For specs of downloads: forge on real servers, and contents that are stored already. */
export interface DownloadFixture {
  readonly harness: Harness;
  readonly service: RunningService;
  readonly url: string;
  /** A stored content, as the ISTK that uploaded it. */
  store(content: Buffer, wish?: TransferOptions): Promise<MintedTransfer>;
  /** A fresh ISTK for downloading it: single-use unless wished otherwise. */
  mint(of: MintedTransfer, wish?: TransferOptions): Promise<MintedTransfer>;
  stream(of: MintedTransfer, wish?: TransferOptions): Promise<MintedTransfer>;
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
    store: async (content, wish) => {
      const file = await mintTransfer(harness, { ...wish, sizeBytes: content.length });
      await storeFile(service, file, content);
      return file;
    },
    mint: (of, wish) => mintDownload(harness, of, wish),
    stream: (of, wish) => mintDownload(harness, of, { mode: 'stream', bytesMax, ...wish }),
    get: (istk, headers = {}) => fetch(`${url}/decrypt?istk=${istk}`, { headers }),
    sql: (text, values) => rowsOf(service, text, values),
  };
}
