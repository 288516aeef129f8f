import type { ServerResponse } from 'node:http';

/** A version of a file. */
export interface FakeVersion {
  readonly id: string;
  readonly content: Buffer;
}

/** A file of the vault. */
export interface FakeIngot {
  readonly id: string;
  readonly name: string;
  /** The active version; undefined before the first is complete. */
  version?: FakeVersion;
  /** The `modified_at` of its last upload. */
  modifiedAt?: number;
}

/** What a test does to requests and responses. */
export interface FakeFaults {
  /** Called with the bytes of a download that were sent; `cut` ends its connection. */
  onSent?: (bytes: number) => 'cut' | undefined | void | Promise<'cut' | undefined | void>;
  /** Called with the bytes of a chunk as they arrive. */
  onReceived?: (bytes: number) => void | Promise<void>;
  /** Called when a link was consumed, before it is answered. */
  onOpened?: () => void | Promise<void>;
  /** The status of the next requests to Forge, in place of what they ask for. */
  readonly refusals: number[];
}

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
