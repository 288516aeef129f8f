/** A provider did not accept a message. Contains codes only, so that it can be logged and stored. */
export abstract class DeliveryFailure extends Error {
  /**
   * @param what the kind of message, for the sentence
   * @param code for operators: `EENVELOPE 550 5.1.1`, `HTTP 400 21211`
   * @param isFinal whether the same message would be rejected again
   * @param isAnswerLost whether the message was sent completely, so that the provider may have accepted it
   * @param retryAfterMs the delay that the provider asked for
   * @param isAddressGone whether the address no longer exists, so that it must be forgotten
   * @param isUnanswered whether the target could not be reached, or gave no answer in time
   */
  protected constructor(
    what: string,
    readonly code: string,
    readonly isFinal: boolean,
    readonly isAnswerLost = false,
    readonly retryAfterMs?: number,
    readonly isAddressGone = false,
    readonly isUnanswered = false,
  ) {
    super(`${what} was not accepted: ${code}`);
  }
}
