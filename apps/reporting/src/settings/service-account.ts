/** The parts of a service account's key file that are used. */
export interface ServiceAccount {
  readonly client_email: string;
  readonly private_key: string;
}

/** @throws an error that completes the name of a setting and never contains the value */
export function parseServiceAccount(json: string): ServiceAccount {
  const { client_email, private_key } = parse(json);
  if (typeof client_email === 'string' && typeof private_key === 'string')
    return { client_email, private_key };
  throw new Error('must be the JSON key of a service account');
}

function parse(json: string): Partial<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Partial<Record<string, unknown>>;
  } catch {
    return {};
  }
}
