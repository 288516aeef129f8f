// @ts-nocheck
/** An error of the KMS API, whose name is in `__type` (AWS JSON 1.1). */
export class KmsError extends Error {
  readonly type;
  readonly status;

  constructor(type, message = '') {
    super(message);
    this.type = type;
    this.status = type === 'KMSInternalException' ? 500 : 400;
  }

  body() {
    return { __type: this.type, message: this.message };
  }
}
