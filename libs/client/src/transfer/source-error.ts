/** The source of an upload could not be read, or is not what it was. The vault has no content of this upload. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  constructor(
    message: string,
    options?: { readonly cause?: unknown },
    /** Whether the content changed while it was sent, or since an earlier run sent a part of it. */
    readonly isChanged = false,
  ) {
    super(message, options);
  }

  /** Keeps an error of the source, with its reason in the message. */
  static of(cause: unknown): SourceError {
    if (cause instanceof SourceError) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new SourceError(`The source could not be read: ${reason}`, { cause });
  }

  static changed(): SourceError {
    return new SourceError(
      'The source was changed during the upload. Nothing of it is stored; upload it again.',
      undefined,
      true,
    );
  }
}
