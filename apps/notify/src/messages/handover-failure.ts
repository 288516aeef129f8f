/** A message was not taken. It holds codes alone, so that it may be logged and stored as it is. */
export abstract class HandoverFailure extends Error {
  /**
   * @param what the kind of message, for the sentence
   * @param code for operators: `EENVELOPE 550 5.1.1`, `HTTP 400 21211`
   * @param isFinal whether the same message would be refused again
   * @param isAnswerLost whether it was handed over, and may have been taken
   */
  protected constructor(
    what: string,
    readonly code: string,
    readonly isFinal: boolean,
    readonly isAnswerLost = false,
  ) {
    super(`${what} was not taken: ${code}`);
  }
}
