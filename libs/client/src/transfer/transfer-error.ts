/** Forge refused a transfer, or it broke off too often. The message contains no URL, because transfer URLs are secrets. */
export class TransferError extends Error {
  override readonly name = 'TransferError';

  constructor(
    message: string,
    /** The status of Forge's last response; undefined if there was none. */
    readonly status?: number,
  ) {
    super(message);
  }
}
