// npm run generate -- vaults.read-activity GET '/v1/vaults/{vault_id}/activity' [--in vault] [--vat read]
import { parseArgs } from 'node:util';
import { workspace } from '../stack/settings.ts';
import { generateOperation, SAMPLES } from './generate-operation.ts';
import { readRequest, usage } from './names.ts';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { in: { type: 'string' }, vat: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    process.exit();
  }
  const request = readRequest(positionals, values);
  const { contract, handler, spec, lists, hasSample, isNewResource } = await generateOperation(
    workspace,
    request,
  );
  process.stdout.write(`Written: ${contract}${isNewResource ? ' (a new resource)' : ''}, ${handler}, ${spec}.
Listed in: ${[...lists, ...(hasSample ? [SAMPLES] : [])].join(', ')}.
Next:
  1. ${contract}: access, fields, reply, errors and summary.
  2. apps/${request.service}/src/migrations and storage.ts, if the stored data changes.
  3. docs/requirements.md: a line, if the requirement is new. ${spec}: the guarantees, which
     fail until the handler is implemented.
  4. ${handler}, with a method of the resource's repository.
  5. ${SAMPLES}: ${hasSample ? 'check the added input of a successful call' : 'add the input of a successful call'}.${request.vat ? `\n     apps/e2e/src/access/access-matrix.spec.ts: add it to the list of operations that need a Vault Access Token.` : ''}
  Then run npm run docs and npm test.
`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
