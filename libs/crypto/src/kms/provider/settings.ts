import type { Secret } from '@vaultsvc/config';

/** A key of AWS KMS. */
export interface AwsSettings {
  readonly provider: 'aws';
  /** Another endpoint than that of AWS for the region: an emulator, or a VPC endpoint. */
  readonly endpoint?: string;
  readonly region: string;
  /** Id, alias or ARN, for example `alias/vk-root`. */
  readonly keyId: string;
  /** Without them the SDK uses its default chain: the environment, then the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** How a service proves to Vault or OpenBao who it is. */
export type TransitAuth = 'token' | 'approle' | 'kubernetes';

/** The generator that answers `random`: none that is hardware, the seal's, or the platform's, which the operator says is hardware. */
export type TransitRandom = 'refused' | 'seal' | 'platform';

/** A key of the transit engine of Vault or OpenBao. */
export interface TransitSettings {
  readonly provider: 'transit';
  /** Origin of the server, for example `https://vault.example.com:8200`. */
  readonly url: string;
  readonly mount: string;
  /** Empty: none. */
  readonly namespace: string;
  /** Name of the key, which is derived: its context takes part in each key. */
  readonly keyName: string;
  readonly auth: TransitAuth;
  readonly authMount: string;
  /** Role id of AppRole, or role of Kubernetes. */
  readonly role: string;
  /** The token, or the secret id of AppRole; empty when it is in `secretFile`. */
  readonly secret: Secret;
  /** File of the token, the secret id or the service account's JWT, read at each login. */
  readonly secretFile: string;
  readonly random: TransitRandom;
}

/** A key in a sealed file. */
export interface FileSettings {
  readonly provider: 'file';
  readonly file: string;
  readonly passphraseFile: string;
  /** Whether systemd made the passphrase file, which then guards it by an ACL instead of the mode. */
  readonly isSystemdCredential: boolean;
  /** Name of the key, which the file has. */
  readonly keyName: string;
}

/** A key of one of the providers. */
export type KeySettings = AwsSettings | TransitSettings | FileSettings;

/** Whether the provider draws random data: a file never does, transit with a hardware source alone (OPEN-45). */
export function drawsRandom(key: KeySettings): boolean {
  return key.provider === 'aws' || (key.provider === 'transit' && key.random !== 'refused');
}

/** The settings of `Kms`. */
export interface KmsSettings {
  /** Wraps. */
  readonly key: KeySettings;
  /** Unwraps only: the next key before a move, the former one after it. */
  readonly second?: KeySettings;
  /** Timeout of one of at most three attempts in milliseconds; 2,000 by default. */
  readonly timeoutMs?: number;
}
