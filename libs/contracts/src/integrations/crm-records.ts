import { EXAMPLE_VMK, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, IdOf, Int, ListOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Ingot } from '../vaults/ingot.js';
import { VAT_SECONDS_DEFAULT, VAT_SECONDS_MAX } from '../vaults/vault-session.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;
const Name = (description: string, options: { optional?: boolean } = {}) =>
  Pattern(NAME, { ...options, max: 128, says: 'letters, digits, _, ., : and -', description });

/**
 * A record of a CRM, and the person who works with it (OPEN-37). crma names portal and person in its signed query alone, so that
 * its bodies' are ignored (OPEN-38).
 */
export class CrmRecord {
  @Name('The portal of crma; ignored, because the signed query names it.', { optional: true })
  portal_id?: string;
  @Name('The org of crmb, which must be the one of the session.', { optional: true }) org_id?: string;
  @Name('The type of the record, such as contact.') object_type: string;
  @Name('The id of the record.') record_id: string;
  @Name('The person, who must be the one of the session of crmb; crma names the person in the query.', {
    optional: true,
  })
  user_id?: string;
}

/** The vault and the folder of a record. */
export class RecordPlace {
  @IdOf('vlt') vault_id: string;
  @IdOf('fld') folder_id: string;
}

/** The same, with the panel of the record for this person (OPEN-66). */
@Example({ panel_url: 'https://api.example.com/panel/crma#Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0' })
export class ResolvedRecord extends RecordPlace {
  @Text({
    max: 2_048,
    description:
      'A page with the files of the record, for a frame of the CRM. It must be opened within 60 seconds, and opens once.',
  })
  panel_url: string;
}

/** The files of a record. */
export class RecordFiles {
  @ListOf(() => Ingot) files: Ingot[];
  @Int({ min: 0 }) count: number;
}

export const VaultMasterKey = () => Text({ max: 200, optional: true, description: 'The Vault Master Key.' });
export const DelegatedKey = () => Text({ max: 200, optional: true, description: 'A delegated key.' });

/** Body of unseal: exactly one key. */
@Example({ vmk: EXAMPLE_VMK })
export class RecordUnsealing extends CrmRecord {
  @VaultMasterKey() vmk?: string;
  @DelegatedKey() dvak_token?: string;
  @Int({ min: 1, max: VAT_SECONDS_MAX, optional: true }) ttl_seconds = VAT_SECONDS_DEFAULT;
}

/** A Vault Access Token that the CRM routes accept from this person alone. */
@Example({ expires_at: exampleTime(3_600) })
export class RecordAccess {
  @Text({ max: 100 }) vat: string;
  @EpochSeconds() expires_at: number;
}

export const RecordFileId = () =>
  Text({ max: 65_536, raw: true, description: 'The id of the ingot, or a colon and its name.' });
export const UnsealedToken = () => Text({ max: 200, description: 'The token of unseal.' });

/** Body of download and delete-file. */
export class RecordFileRequest extends CrmRecord {
  @RecordFileId() ingot_id: string;
  @UnsealedToken() vat: string;
}

/** A download URL of Forge. */
export class RecordDownload {
  @Text({ max: 2_048, description: 'Anyone with this URL can read the content. It works once.' })
  download_url: string;
  @EpochSeconds() expires_at: number;
}

/** The file is deleted. */
export class DeletedRecordFile {
  @Flag({ description: 'Always true.' }) deleted: boolean;
  @IdOf('ing') ingot_id: string;
}

/** Body of upload-context: the token of unseal, or a key. */
@Example({ vmk: EXAMPLE_VMK })
export class UploadContextRequest extends RecordUnsealing {
  @Text({ max: 200, optional: true, description: 'The token of unseal.' }) vat?: string;
}

/** What an upload by `POST /v1/vaults/{vault_id}/ingots` needs. */
export class UploadContext extends RecordPlace {
  @Text({ max: 100 }) vat: string;
}

const errors = ['VAULT_NOT_FOUND', 'APP_SUSPENDED'] as const;
export const recordKeyErrors = ['DVAK_INVALID', 'DVAK_OF_ANOTHER_USER', 'VAULT_KEY_WRONG'] as const;
/** Transfers draw the pools of the account, whoever asks for them (APP-25, OPEN-58). */
export const recordDrawErrors = ['PLAN_REQUIRED', 'QUOTA_EXCEEDED'] as const;
export const recordFileErrors = [
  'INGOT_NOT_FOUND',
  'INGOT_MANAGED',
  'VAT_EXPIRED',
  'VAT_OUT_OF_SCOPE',
  'VAT_READ_ONLY',
] as const;

const crma = { provider: 'crma' } as const;
const crmb = { provider: 'crmb' } as const;

/** Finds or makes the folder of a record in the vault of the installation (CRA-04). */
export const resolveCrmaRecord = operation({
  name: 'integrations.resolve-crma-record',
  summary: 'Finds the vault and the folder of a record of crma. The request is signed by crma.',
  http: { method: 'POST', path: '/v1/apps/crma/resolve', status: 200 },
  access: crma,
  body: CrmRecord,
  reply: ResolvedRecord,
  errors,
});
export const listCrmaFiles = operation({
  name: 'integrations.list-crma-files',
  summary: 'Lists the files of a record of crma.',
  http: { method: 'POST', path: '/v1/apps/crma/files', status: 200 },
  access: crma,
  body: CrmRecord,
  reply: RecordFiles,
  errors,
});
export const unsealCrmaVault = operation({
  name: 'integrations.unseal-crma-vault',
  summary: 'Opens the vault of crma with a key, for one person.',
  http: { method: 'POST', path: '/v1/apps/crma/unseal', status: 200 },
  access: crma,
  body: RecordUnsealing,
  reply: RecordAccess,
  errors: [...errors, ...recordKeyErrors],
});
export const downloadCrmaFile = operation({
  name: 'integrations.download-crma-file',
  summary: 'Issues a download URL for a file of a record of crma.',
  http: { method: 'POST', path: '/v1/apps/crma/download', status: 200 },
  access: crma,
  body: RecordFileRequest,
  reply: RecordDownload,
  errors: [...errors, ...recordFileErrors, 'INGOT_NOT_READY', ...recordDrawErrors],
});
export const deleteCrmaFile = operation({
  name: 'integrations.delete-crma-file',
  summary: 'Deletes a file of a record of crma.',
  http: { method: 'POST', path: '/v1/apps/crma/delete-file', status: 200 },
  access: crma,
  body: RecordFileRequest,
  reply: DeletedRecordFile,
  errors: [...errors, ...recordFileErrors, 'INGOT_UPLOADING'],
});

export const resolveCrmbRecord = operation({
  name: 'integrations.resolve-crmb-record',
  summary: 'Finds the vault and the folder of a record of crmb. The bearer is a session of the org.',
  http: { method: 'POST', path: '/v1/apps/crmb/resolve', status: 200 },
  access: crmb,
  body: CrmRecord,
  reply: ResolvedRecord,
  errors,
});
export const listCrmbFiles = operation({
  name: 'integrations.list-crmb-files',
  summary: 'Lists the files of a record of crmb.',
  http: { method: 'POST', path: '/v1/apps/crmb/files', status: 200 },
  access: crmb,
  body: CrmRecord,
  reply: RecordFiles,
  errors,
});
export const unsealCrmbVault = operation({
  name: 'integrations.unseal-crmb-vault',
  summary: 'Opens the vault of crmb with a key, for one person.',
  http: { method: 'POST', path: '/v1/apps/crmb/unseal', status: 200 },
  access: crmb,
  body: RecordUnsealing,
  reply: RecordAccess,
  errors: [...errors, ...recordKeyErrors],
});
export const downloadCrmbFile = operation({
  name: 'integrations.download-crmb-file',
  summary: 'Issues a download URL for a file of a record of crmb.',
  http: { method: 'POST', path: '/v1/apps/crmb/download', status: 200 },
  access: crmb,
  body: RecordFileRequest,
  reply: RecordDownload,
  errors: [...errors, ...recordFileErrors, 'INGOT_NOT_READY', ...recordDrawErrors],
});
export const deleteCrmbFile = operation({
  name: 'integrations.delete-crmb-file',
  summary: 'Deletes a file of a record of crmb.',
  http: { method: 'POST', path: '/v1/apps/crmb/delete-file', status: 200 },
  access: crmb,
  body: RecordFileRequest,
  reply: DeletedRecordFile,
  errors: [...errors, ...recordFileErrors, 'INGOT_UPLOADING'],
});
/** For direct uploads through Forge (CRB-03). */
export const prepareCrmbUpload = operation({
  name: 'integrations.prepare-crmb-upload',
  summary: 'Returns vault, folder and Vault Access Token for an upload to a record of crmb.',
  http: { method: 'POST', path: '/v1/apps/crmb/upload-context', status: 200 },
  access: crmb,
  body: UploadContextRequest,
  reply: UploadContext,
  errors: [...errors, ...recordKeyErrors, 'VAT_EXPIRED', 'VAT_OUT_OF_SCOPE', 'VAT_READ_ONLY'],
});

/** The event is processed, or needs no processing. */
export class CrmEventReceived {
  @Flag({ description: 'Always true.' }) received: boolean;
}

/** `app.deauthorize` uninstalls, once the provider refuses the tokens of the portal (CRA-11, OPEN-38). Unknown portals and other events are acknowledged. */
export const receiveCrmaEvents = operation({
  name: 'integrations.receive-crma-events',
  summary:
    'Receives events of crma, which signs them. app.deauthorize uninstalls the integration, once crma refuses its tokens.',
  http: { method: 'POST', path: '/v1/apps/crma/webhooks', status: 200 },
  access: { provider: 'crma', webhook: true },
  reply: CrmEventReceived,
});

/** `app.uninstall` in an admin's session uninstalls; in another person's, once the org refuses the tokens (CRB-08, OPEN-38). */
export const receiveCrmbEvents = operation({
  name: 'integrations.receive-crmb-events',
  summary:
    'Receives events of crmb with a session of the org. app.uninstall of an admin uninstalls the integration; that of others once crmb refuses its tokens.',
  http: { method: 'POST', path: '/v1/apps/crmb/webhooks', status: 200 },
  access: { provider: 'crmb', webhook: true },
  reply: CrmEventReceived,
  errors: ['APP_SUSPENDED'],
});
