/** The errors of KMS that the emulator answers. */
export type KmsErrorType =
  | 'AccessDeniedException'
  | 'IncompleteSignatureException'
  | 'IncorrectKeyException'
  | 'InvalidCiphertextException'
  | 'InvalidSignatureException'
  | 'KMSInternalException'
  | 'MissingAuthenticationTokenException'
  | 'NotFoundException'
  | 'SerializationException'
  | 'ThrottlingException'
  | 'UnknownOperationException'
  | 'UnrecognizedClientException'
  | 'ValidationException';

/** An error of the KMS API, whose name is in `__type` (AWS JSON 1.1). */
export class KmsError extends Error {
  readonly type: KmsErrorType;
  readonly status: number;

  constructor(type: KmsErrorType, message = '') {
    super(message);
    this.type = type;
    this.status = type === 'KMSInternalException' ? 500 : 400;
  }

  body() {
    return { __type: this.type, message: this.message };
  }
}
