/** Key management gave no answer that helps: down, slow, throttled, or it refuses us. Answer 500, keep nothing. */
export class KmsUnavailable extends Error {
  override readonly name = 'KmsUnavailable';

  /** `reason`: the AWS error code or the kind of network failure; never a value from the request. */
  constructor(readonly reason: string) {
    super(`Key management is unavailable: ${reason}`);
  }
}
