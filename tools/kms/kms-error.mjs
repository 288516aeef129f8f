/** An error of the KMS API: `__type` names it, as the SDK expects (AWS JSON 1.1). */
export class KmsError extends Error {
  constructor(type, message = '') {
    super(message);
    this.type = type;
    this.status = type === 'KMSInternalException' ? 500 : 400;
  }

  body() {
    return { __type: this.type, message: this.message };
  }
}
