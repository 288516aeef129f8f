/** An error of the API of Vault: a status and texts, no code. */
export class VaultError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  body() {
    return { errors: this.message === '' ? [] : [this.message] };
  }
}

export function permissionDenied() {
  return new VaultError(403, 'permission denied');
}
