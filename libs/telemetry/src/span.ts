/** The part of a service in a span: it answers, it calls, or it applies events. */
export type SpanKind = 'server' | 'client' | 'consumer';

/** A value that tells spans apart. Never a secret, a path, a query or a parameter of a statement. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A recorded step of a request. */
export interface Span {
  /** Its W3C `traceparent`, the parent of what it causes. */
  readonly trace: string;
  /** Names it once its operation is known. */
  name(name: string, attributes: SpanAttributes): void;
  /** Ends it; of an error the class alone is recorded, because a message may hold values. */
  end(error?: unknown): void;
}

/** Where spans go, and how many requests are traced. */
export interface TraceSettings {
  readonly service: string;
  readonly version: string;
  /** URL of a collector for OTLP over HTTP. */
  readonly endpoint: string;
  /** The header `Authorization` of exports; empty for none. */
  readonly authorization: string;
  /** Share of the requests from outside that are traced, from 0 to 1. */
  readonly ratio: number;
}
