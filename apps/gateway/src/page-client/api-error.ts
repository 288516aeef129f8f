import { waitText } from './format.js';

/** An error response of the API, or no response. Its message is a sentence for the person. */
export class ApiError extends Error {
  constructor(
    /** The HTTP status; 0 without a response. */
    readonly status: number,
    message: string,
    /** Seconds after which a repetition makes sense, where the API names them. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  /** Of a response without `data`. */
  static of(response: Response, answer: unknown): ApiError {
    const { error, meta } = (answer ?? {}) as {
      error?: { message?: string; details?: { fields?: { message: string }[] } };
      meta?: { request_id?: string };
    };
    const seconds = Number(response.headers.get('Retry-After')) || undefined;
    return new ApiError(
      response.status,
      messageOf(
        response.status,
        error?.details?.fields?.[0]?.message ?? error?.message,
        meta?.request_id,
        seconds,
      ),
      seconds,
    );
  }

  static noResponse(): ApiError {
    return new ApiError(0, 'There was no answer. Check your internet connection.');
  }

  /** Whether the same request may succeed a second later: the limiter could not count, or its minute is about to end. */
  get isMomentary(): boolean {
    return this.status === 429 && this.retryAfterSeconds === 1;
  }
}

function messageOf(status: number, text = '', requestId = '', seconds?: number): string {
  if (status === 401) return 'Your session has ended.';
  if (status === 429) return `Too many requests. Try again in ${seconds ? waitText(seconds) : 'a minute'}.`;
  if (status >= 500)
    return `Something went wrong on our side. The request was ${requestId || 'not numbered'}.`;
  return text || `The answer was ${status}.`;
}

/** The sentence for an error; a bug of this script has none of its own. */
export function textOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong on this page.';
}
