/** The members of a version in the payloads of events, for `jsonb_build_object` over a row with these columns. */
export const VERSION_MEMBERS = `'account_id', account_id, 'vault_id', vault_id, 'ingot_id', ingot_id, 'version_id', version_id`;

/** SQL for the payload of an `UploadEnd`; both arguments are expressions. */
export function uploadEndPayload(receivedBytes: string, reason: string): string {
  return `jsonb_build_object(${VERSION_MEMBERS}, 'received_bytes', ${receivedBytes}, 'reason', ${reason})`;
}
