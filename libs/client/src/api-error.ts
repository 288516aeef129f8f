import { foreignAnswer, originOf } from './foreign-answer.js';

/** The body of a refusal: `error` and `meta`. */
interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
  readonly meta?: { readonly request_id?: string };
}

/** The parts of an `ApiError`. */
export interface ApiErrorFields {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly retryAfter?: number;
}

/** A refusal of the API. Programs handle `code`, or `reason` where one code has several meanings. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** `NOT_FOUND`, `VALIDATION_ERROR`, …; `UNKNOWN` if the response was not one of the API. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Names the request to the operator. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, details = {}, requestId, retryAfter }: ApiErrorFields) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** The cause within the code, where the API names it. */
  get reason(): string | undefined {
    const { reason } = this.details;
    return typeof reason === 'string' ? reason : undefined;
  }

  /** The invalid fields of a `VALIDATION_ERROR`. */
  get fields(): readonly { readonly field: string; readonly message: string }[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? (fields as { field: string; message: string }[]) : [];
  }

  /** The error of a response and its parsed body. Without the API's envelope it has the code `UNKNOWN`. */
  static of(response: Response, body: unknown): ApiError {
    const { error, meta } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
    return new ApiError({
      status: response.status,
      code: error?.code ?? 'UNKNOWN',
      message: error?.message ?? foreignAnswer(response.status, response.url),
      details: error?.details,
      requestId: meta?.request_id ?? response.headers.get('X-Request-Id') ?? undefined,
      retryAfter: retryAfterOf(response),
    });
  }
}

/** The seconds of `Retry-After`; the API sends no dates. */
export function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('Retry-After');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** There was no response: the network failed, or the caller's time was over. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /** The origin that did not answer. */
  readonly origin: string | undefined;

  constructor(cause: unknown, url?: string) {
    const origin = originOf(url);
    super(origin === undefined ? 'There was no response.' : `There was no response from ${origin}.`, {
      cause,
    });
    this.origin = origin;
  }
}
