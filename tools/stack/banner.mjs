/** @typedef {ReturnType<typeof import('./descriptor.mjs').describeStack>} Description */

/**
 * The text after a start: addresses, the API key, and three commands to paste.
 * @param {any} stack the content of stack.json
 * @returns {string}
 */
export function banner(stack) {
  return [
    '',
    ...addresses(stack),
    '',
    '  Try it:',
    ...examples(stack.api_url, stack.account.api_key),
    '',
  ].join('\n');
}

/** @param {any} stack */
function addresses(stack) {
  return [
    ['API', stack.api_url],
    ['Sign in', `${stack.identity_url}/signin`],
    ['Messages', stack.mail_url],
    ['Providers', `${stack.chat_api_url} (chat), ${stack.crma_api_url}, ${stack.crmb_api_url} (CRMs)`],
    ['Forge', stack.forge_url],
    ['Link pages', stack.link_url],
    ['File pages', stack.files_url],
    ['PostgreSQL', new URL(stack.postgres_url).host],
    ['Account', `${stack.account.account_id} (${stack.account.owner_email})`],
    ['API key', stack.account.api_key],
  ].map(([name, value]) => `  ${name?.padEnd(12)}${value}`);
}

/**
 * Creates a Spark and reads it twice: the second read is refused.
 * @param {string} api
 * @param {string} key
 */
function examples(api, key) {
  const read = `curl -s ${api}/v1/sparks/$id -H 'X-API-Key: ${key}'`;
  const create = `curl -s ${api}/v1/sparks -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '{"payload":"hello"}'`;
  return [`id=$(${create} | sed 's/.*"spark_id":"\\([^"]*\\)".*/\\1/'); echo $id`, read, read].map(
    (line) => `  ${line}`,
  );
}
