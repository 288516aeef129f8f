import { S3Client } from '@aws-sdk/client-s3';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Secret } from '@vaultsvc/config';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Another server than AWS's own for the region. */
  readonly endpoint?: string;
  /** Whether the bucket stands in the path of the URL; AWS wants it in the host name, most others in the path. */
  readonly pathStyle?: boolean;
  /** Without them the SDK finds its own: the environment, or the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: Secret };
  /**
   * WHEN_SUPPORTED sends a checksum after each content, which AWS verifies. A server that does not know that form
   * stores its framing as part of the object and says nothing, so it is never chosen unasked.
   */
  readonly checksums?: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED';
  /** For the beginning of an answer, and for any stop of bytes that are under way; 10,000 unless said. */
  readonly timeoutMs?: number;
}

export const TIMEOUT_MS = 10_000;
/** A slow reader holds a connection, so this bounds readers and writers together; the SDK's own 50 are soon held. */
const CONNECTIONS_MAX = 1_000;
/** For what may be asked again. The SDK sees that a streamed content may not. */
const ATTEMPTS_MAX = 3;

/** The SDK would print to the console, and give a logger of ours whole requests; what matters is in its errors. */
const silence = () => {};
const silent = { trace: silence, debug: silence, info: silence, warn: silence, error: silence };

/** The SDK's client with our limits. */
export function s3Client(settings: S3Settings): S3Client {
  const checksums = settings.checksums ?? 'WHEN_REQUIRED';
  const { endpoint, credentials } = settings;
  const agent = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.pathStyle ?? false,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: ATTEMPTS_MAX,
    logger: silent,
    // With it the SDK opens a new connection for every large object, and waits a round trip.
    expectContinueHeader: false,
    requestHandler: {
      logger: silent,
      // The SDK's times would cut slow clients, and whom the machine held up; stops are noticed by watchForStall.
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
