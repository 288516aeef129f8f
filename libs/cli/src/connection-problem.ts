import type { ConnectionError } from '@vaultsvc/client';

type Advice = readonly [codes: RegExp, problem: string, advice: string];

/** Codes of Node, of its `fetch` and of OpenSSL, and what the user can check. */
const known: readonly Advice[] = [
  [
    /^ECONNREFUSED$/,
    'Nothing answers at',
    'Check that the address and its port are right, and that the service runs.',
  ],
  [/^(ENOTFOUND|EAI_\w+)$/, 'No server is found for', 'Check the address, the network and its name server.'],
  [
    /TIMEOUT|^(Timeout|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN)/,
    'There is no answer from',
    'Check the network, a VPN or firewall on the way, and the address.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/,
    'There is no trusted certificate of',
    'Check the address. Name the certificate of an authority of your own in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^(ERR_SSL|EPROTO)/,
    'There is no TLS connection to',
    'Check the address and its port: another protocol may be spoken there.',
  ],
];

/** Says which server cannot be reached, and what to check. `fetch failed` would say neither. */
export function connectionProblem({ origin = 'the server', message, cause }: ConnectionError): string {
  const code = codeOf(cause);
  const advice = known.find(([codes]) => code !== undefined && codes.test(code));
  if (advice) return `${advice[1]} ${origin} (${code}). ${advice[2]}`;
  const why = code ?? (cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : '');
  const reason = why === '' ? '' : ` (${why})`;
  return `${message.replace(/\.$/, '')}${reason}. Check the network, a proxy or firewall on the way, and the address.`;
}

/** The code of an error or of a cause of it; `fetch` wraps those of the connection. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, name, cause, errors } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  if (name === 'TimeoutError') return name;
  return codeOf(cause) ?? codeOf(errors?.[0]);
}
