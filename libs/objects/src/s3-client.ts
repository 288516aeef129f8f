import { S3Client } from '@aws-sdk/client-s3';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Secret } from '@vaultsvc/config';

/** Settings of a bucket of S3, or of a compatible store. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** A server other than that of AWS for the region. */
  readonly endpoint?: string;
  /** Whether the URL has the bucket in its path, as most stores require, and not in the host name, as AWS does. */
  readonly pathStyle?: boolean;
  /** Without them the SDK uses its default chain: the environment, or the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: Secret };
  /**
   * WHEN_SUPPORTED sends a checksum trailer, which AWS verifies. A server without support for it silently stores the
   * framing as part of the object, so WHEN_REQUIRED is the default.
   */
  readonly checksums?: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED';
  /** Milliseconds to wait for the start of a response, and without progress of a body; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Connections of all reads together, and again of all other requests; 1,000 by default. */
  readonly connectionsMax?: number;
}

/** The default of `timeoutMs`. */
export const TIMEOUT_MS = 10_000;
/** The default of `connectionsMax`. Slow clients occupy connections, so the SDK's default of 50 is too low. */
const CONNECTIONS_MAX = 1_000;
/** For idempotent requests. The SDK does not retry a streamed body. */
const ATTEMPTS_MAX = 3;

/** The SDK would log to the console, or whole requests to a logger; its errors are enough. */
const silence = () => {};
const silent = { trace: silence, debug: silence, info: silence, warn: silence, error: silence };

/** Creates a client of the SDK with the limits of this module and connections of its own. */
export function s3Client(settings: S3Settings): S3Client {
  const checksums = settings.checksums ?? 'WHEN_REQUIRED';
  const { endpoint, credentials } = settings;
  const agent = { keepAlive: true, maxSockets: settings.connectionsMax ?? CONNECTIONS_MAX };
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.pathStyle ?? false,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: ATTEMPTS_MAX,
    logger: silent,
    // With it the SDK opens a new connection for every large object, and waits for a round trip.
    expectContinueHeader: false,
    requestHandler: {
      logger: silent,
      // The SDK's timeouts would also cut slow clients and paused processes; watchForStall detects stalls.
      requestTimeout: 0,
      socketTimeout: 0,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    },
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials: reveal(credentials) }),
  });
}

function reveal({ accessKeyId, secretAccessKey }: NonNullable<S3Settings['credentials']>) {
  return { accessKeyId, secretAccessKey: secretAccessKey.reveal() };
}
