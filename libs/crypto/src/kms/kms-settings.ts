/** Where key management is. A service's own settings class carries these beside its others. */
export interface KmsSettings {
  /** Another address than AWS's own for the region: the emulator of the local stack, or a VPC endpoint. */
  readonly kmsEndpoint?: string;
  readonly kmsRegion: string;
  /** Id, alias or ARN of the one key this service may use, as in `alias/vk-root`. */
  readonly kmsKeyId: string;
  /** How long one attempt may take; there are at most three. */
  readonly kmsTimeoutMs?: number;
  /** For the emulator in tests. Without them the SDK finds its own: the environment, or the machine's role. */
  readonly kmsCredentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}
