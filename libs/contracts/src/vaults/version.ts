import { IdOf, Text } from '../core/fields.js';

/** One content of an ingot, from the moment in which its upload is opened. */
export class VersionRef {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 40 }) version_id: string;
}
