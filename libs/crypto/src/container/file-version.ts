/** Which version of which ingot. Every key of it is derived with all four, so nothing of it can be moved. */
export interface FileIds {
  readonly accountId: string;
  readonly vaultId: string;
  readonly ingotId: string;
  readonly versionId: string;
}

/** One version of an ingot's content. */
export interface FileVersion extends FileIds {
  /** The whole plaintext's length, fixed when the upload is made: 1 to FILE_BYTES_MAX. */
  readonly bytes: number;
}

const KEY_BYTES = 32;

/** The ids in the order in which every derivation takes them. */
export function idsOf({ accountId, vaultId, ingotId, versionId }: FileIds): readonly string[] {
  return [accountId, vaultId, ingotId, versionId];
}

/** Throws RangeError for anything but a key of 256 bits. */
export function assertFileKey(fileKey: Buffer): void {
  if (fileKey.length !== KEY_BYTES) throw new RangeError(`A file's key has ${KEY_BYTES} bytes`);
}
