import { EpochSeconds, Flag, IdOf, Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { IngotName, IngotParams } from './ingot.js';
import { readErrors } from './vault.js';

export class DownloadRequest {
  @Flag({ optional: true, description: 'Whether the URL may be used again, for players that seek.' })
  stream: boolean = false;
}

export class IngotDownload {
  @OneOf(['ready']) status: 'ready';
  @Text({ max: 2_048, description: 'Whoever has it reads the content; give it to nobody else.' })
  download_url: string;
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, nullable: true }) original_filename: string | null;
  @EpochSeconds({ description: 'Of a URL for streaming: unless it is used before.' })
  expires_at: number;
  @Flag() stream: boolean;
}

/** Draws bandwidth as its bytes are sent, so it is refused only when the pool is used up before it begins. */
export const downloadIngot = operation({
  name: 'vaults.download-ingot',
  summary:
    'Gives a URL that the content of an ingot can be read from: once, or again and again for streaming.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}/download', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  body: DownloadRequest,
  reply: IngotDownload,
  errors: [...readErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED', 'INGOT_NOT_READY'],
});
