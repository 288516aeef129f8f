import { HandoverFailure } from '../messages/handover-failure.js';

/** A text was not taken, or nobody knows. What a provider says holds the number, so nothing of it is kept but codes. */
export class SmsFailure extends HandoverFailure {
  override readonly name = 'SmsFailure';

  /**
   * @param code `HTTP 400 21211`, `ECONNREFUSED`
   * @param isAnswerLost whether the whole request had left: the text may be on its way
   */
  constructor(code: string, isFinal: boolean, isAnswerLost = false) {
    super('a text', code, isFinal, isAnswerLost);
  }
}
