/** What a document of the API names besides its operations. */
export interface ReferenceOptions {
  readonly version: string;
  /** Origin of the API. */
  readonly origin: string;
  /** Origins of link pages and of file pages. */
  readonly linkOrigins: readonly string[];
  /** Origin of Forge. */
  readonly forgeOrigin: string;
}
